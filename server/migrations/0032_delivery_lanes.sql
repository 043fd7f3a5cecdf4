-- Deliveries of one lane go one after the other. A file's events have its id as their lane, those of a live stream the id of its project below zero.
alter table deliveries add column lane bigint;
update deliveries set lane = file_id where file_id is not null and (state in ('pending', 'waiting') or blocks_lane);
drop index deliveries_waiting_of_lane;
drop index deliveries_blocking;
create index deliveries_waiting_of_lane on deliveries (webhook_id, lane) where state = 'waiting';
create index deliveries_blocking on deliveries (webhook_id, lane) where blocks_lane;
