-- An encoder of a rung on demand goes on with the segment after its own, so others leave that one to it.
alter table on_demand_chunks add column goes_on boolean not null default false;
comment on column on_demand_chunks.goes_on is 'while it is claimed: its encoder goes on with the next chunk of the rung';
