-- Counts the changes of node_id to another owner: a node that was paused can tell that it has lost a stream, even when it owns it again.
alter table live_streams add column epoch bigint not null default 0;
