-- The operator disables an account as a whole; nobody signs in to it, and its keys do not work.
alter table accounts add column disabled_at timestamptz;
