-- Projects take turns at the encoders of rungs on demand, and a chunk is awaited only while a viewer waits for it. `is_awaited` is
-- no longer used.
alter table on_demand_chunks
  add column awaited_until timestamptz,
  add column claimed_at timestamptz;
create index on_demand_chunks_claimed on on_demand_chunks (claimed_at) where claimed_at is not null;
comment on column on_demand_chunks.awaited_until is 'a viewer waits for the chunk, rather than for one before it, until then';
comment on column on_demand_chunks.claimed_at is 'when an encoder last began it for viewers or a download';
comment on column on_demand_chunks.wanted_at is 'since when, without a break of more than two seconds';
