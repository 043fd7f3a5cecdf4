-- Views of the source whose plays the row has. Replacing the source deletes the rows, so retention divides counts of the same source.
alter table file_heat_days add column views bigint not null default 0;
insert into file_heat_days (account_id, file_id, day, played_ms, reached, views)
  select account_id, file_id, day, '{}', '{}', sum(views) from file_view_days
  group by account_id, file_id, day having sum(views) > 0
  on conflict (account_id, file_id, day) do update set views = excluded.views;
