-- The identity provider on whose strength the deliveries of an account are signed; one for each account.
create table identity_providers (
  account_id bigint primary key references accounts on delete cascade,
  id bigint generated always as identity unique,
  preset text not null check (preset in ('cognito', 'auth0', 'entra', 'keycloak', 'google', 'custom')),
  issuer text not null,
  client_id text not null,
  authentication text not null
    check (authentication in ('client_secret_basic', 'client_secret_post', 'private_key_jwt', 'service_account')),
  sealed_client_secret bytea,
  -- The one of client_keys that authenticates us; null with the other ways.
  client_key_id text,
  scope text,
  audience text,
  -- As discovery last said.
  token_endpoint text not null,
  key_set_uri text not null,
  -- working; unreachable: it does not answer; broken: it refuses us.
  state text not null default 'working' check (state in ('working', 'unreachable', 'broken')),
  state_reason text,
  state_since timestamptz not null default now(),
  -- Counts what workers must take over: settings, keys, and that it was mended; the state alone does not count.
  version bigint not null default 1,
  -- Counts the settings alone: tokens that were got with others are not used any more.
  credential_version bigint not null default 1,
  connected_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- They sign Webhook-Identity. One that is new is published first and signs from active_from on; one that was replaced stays
-- published for those requests that are under way.
create table webhook_signing_keys (
  kid text primary key,
  account_id bigint not null references accounts on delete cascade,
  sealed_private_key bytea not null,
  public_jwk jsonb not null,
  created_at timestamptz not null default now(),
  active_from timestamptz not null default now(),
  published_until timestamptz
);
create index webhook_signing_keys_of_account on webhook_signing_keys (account_id, active_from);

-- They authenticate us at an identity provider (private_key_jwt). Each account has a key set with a URL of its own: in a common one, the key
-- of one account would open the client of another.
create table client_keys (
  kid text primary key,
  account_id bigint not null references accounts on delete cascade,
  key_set_id uuid not null,
  sealed_private_key bytea not null,
  public_jwk jsonb not null,
  created_at timestamptz not null default now()
);
create index client_keys_of_account on client_keys (account_id, created_at);
create index client_keys_of_set on client_keys (key_set_id);
