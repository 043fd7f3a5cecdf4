-- The log is read by "what came after event 17?". Ids are given out before their transactions commit, so a reader who has seen 19 could
-- miss 18, which is committed later. Therefore each transaction that adds events holds, from before its first id until its end, a shared
-- advisory lock that says above which id its own will lie; nobody waits for it. What lies at or below the lowest of these floors is settled:
-- no event will ever appear there any more. Unlike a horizon of transaction ids this waits for our own writers alone, not for backups,
-- index builds and the other databases of the server, and it survives a dump into another server.
--
-- The lock's key is 23109 (any constant that no other 64-bit advisory lock begins with) in the upper 16 bits and the floor in the lower 48.

create function hold_event_floor() returns trigger language plpgsql as $$
begin
  if current_setting('zoetrope.holds_event_floor', true) is distinct from 'yes' then
    perform pg_advisory_xact_lock_shared((23109::bigint << 48) | case when is_called then last_value else 0 end)
    from events_id_seq;
    perform set_config('zoetrope.holds_event_floor', 'yes', true);
  end if;
  return null;
end
$$;

-- For each statement: PostgreSQL fires it before it asks for the first id.
create trigger hold_event_floor before insert on events for each statement execute function hold_event_floor();

-- Must run in a statement before the one that reads events: the sequence first, then the locks, and only then the snapshot.
create function event_log_horizon(out newest_id bigint, out settled_id bigint) language plpgsql volatile as $$
begin
  select case when is_called then last_value else 0 end into newest_id from events_id_seq;
  select least(newest_id, min(((classid::bigint << 32) | objid::bigint) & 281474976710655)) into settled_id
  from pg_locks
  where locktype = 'advisory' and objsubid = 1 and classid::bigint >> 16 = 23109
    and database = (select oid from pg_database where datname = current_database());
end
$$;

-- Filters and counts of the log need not read the records.
create index events_log on events (account_id, id) include (project_id, name, subject, occurred_at);
drop index events_of_account;
create index events_of_file on events (account_id, file_id, id) where file_id is not null;
