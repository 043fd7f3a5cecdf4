-- E-mails, each with a job that sends it. The parameters contain links with tokens, so they are sealed, and removed when the mail is sent or given up.
create table mails (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts,
  message_id uuid not null default gen_random_uuid(),
  recipient text not null,
  language text not null check (language in ('en', 'de')),
  kind text not null,
  sealed_params bytea,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  once_key text,
  attempts int not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  ended_at timestamptz,
  unique (account_id, recipient, once_key)
);
create index mails_by_end on mails (ended_at) where ended_at is not null;

-- Links that users requested for their own password; the creator is the user.
alter table invitations add column is_reset boolean not null default false;

-- Language of the browser in which the user signed in last, for e-mails.
alter table users add column language text check (language in ('en', 'de'));
