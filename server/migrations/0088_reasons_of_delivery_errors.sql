-- The reason and params of an error beside its English text, from which clients render other languages. Null in rows
-- of older releases.
alter table delivery_attempts add column error_reason text, add column error_params jsonb;
alter table webhook_health add column last_failure_reason text, add column last_failure_params jsonb;
