-- Values of custom headers, sealed with the master key. The first start seals those in custom_headers and empties it.
alter table webhooks add column sealed_headers jsonb not null default '{}';
