-- Names the supervisor that started the node. It sees the process end and says so, where other nodes have to wait for its silence.
alter table live_nodes add column supervisor_id uuid;
