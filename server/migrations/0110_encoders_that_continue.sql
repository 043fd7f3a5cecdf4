-- An encoder of a rung on demand continues with the next segment, so other encoders skip that one.
alter table on_demand_chunks add column continues boolean not null default false;
comment on column on_demand_chunks.continues is 'while it is claimed: its encoder continues with the next chunk of the rung';
