-- Longest life of a new API key of the account, in days; null = no limit. Existing keys keep their expiry.
alter table accounts add column max_key_days int check (max_key_days > 0);
-- Networks in CIDR notation that a key may be used from; null = all.
alter table api_keys
  add column allowed_networks text[],
  add column last_used_address text;
