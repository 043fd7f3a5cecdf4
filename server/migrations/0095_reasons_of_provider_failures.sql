-- The reason and params of a failure beside its English text, from which clients render other languages. Null in rows
-- of older releases.
alter table identity_providers
  add column state_error_reason text,
  add column state_error_params jsonb,
  add column sign_in_error_reason text,
  add column sign_in_error_params jsonb;
