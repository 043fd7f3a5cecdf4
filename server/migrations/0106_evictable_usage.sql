alter table usage_days add column evictable_bytes bigint not null default 0;
comment on column usage_days.evictable_bytes is 'part of storage_bytes: segments that can be encoded again on demand';
