-- Readers of the audit log ask what came after an entry, as readers of the events do (decision 0006): each transaction that adds entries
-- holds a shared advisory lock with the floor above which its ids will be. The key is 23110 in the upper 16 bits and the floor in the lower 48.

create function hold_audit_floor() returns trigger language plpgsql as $$
begin
  if current_setting('zoetrope.holds_audit_floor', true) is distinct from 'yes' then
    perform pg_advisory_xact_lock_shared((23110::bigint << 48) | case when is_called then last_value else 0 end)
    from audit_entries_id_seq;
    perform set_config('zoetrope.holds_audit_floor', 'yes', true);
  end if;
  return null;
end
$$;

create trigger hold_audit_floor before insert on audit_entries for each statement execute function hold_audit_floor();

-- The sequence first, then the locks; the caller reads the entries in a later statement.
create function audit_log_horizon() returns bigint language plpgsql volatile as $$
declare
  newest_id bigint;
begin
  select case when is_called then last_value else 0 end into newest_id from audit_entries_id_seq;
  return (
    select least(newest_id, min(((classid::bigint << 32) | objid::bigint) & 281474976710655))
    from pg_locks
    where locktype = 'advisory' and objsubid = 1 and classid::bigint >> 16 = 23110
      and database = (select oid from pg_database where datname = current_database())
  );
end
$$;
