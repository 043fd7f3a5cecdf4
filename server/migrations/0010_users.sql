-- Users can be deleted; their e-mail address is free again then.
alter table users
  add column last_sign_in_at timestamptz,
  add column deleted_at timestamptz;
drop index users_by_email;
create unique index users_by_email on users (lower(email)) where deleted_at is null;
create index users_of_account on users (account_id, id desc) where deleted_at is null;

-- The role of a user in one project, in place of the one in the account.
create table project_roles (
  account_id bigint not null,
  user_id bigint not null,
  project_id bigint not null,
  role text not null check (role in ('Reader', 'Uploader', 'JuniorEditor', 'SeniorEditor', 'Administrator')),
  primary key (account_id, user_id, project_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
);
create index project_roles_of_project on project_roles (account_id, project_id);

-- The order in which keys were made, for paging: a jti is random.
alter table api_keys add column ordinal bigint;
update api_keys set ordinal = numbered.ordinal
  from (select jti, row_number() over (order by created_at, jti) as ordinal from api_keys) as numbered
  where numbered.jti = api_keys.jti;
alter table api_keys
  alter column ordinal set not null,
  alter column ordinal add generated always as identity;
select setval(pg_get_serial_sequence('api_keys', 'ordinal'), max(ordinal)) from api_keys having max(ordinal) > 0;
create unique index api_keys_by_ordinal on api_keys (account_id, ordinal desc);
drop index api_keys_of_account;
create index api_keys_of_user on api_keys (account_id, user_id) where revoked_at is null;

-- The `exp` that was signed into the token, in whole seconds: expires_at can be moved, but never beyond it.
alter table api_keys add column token_expires_at timestamptz;
update api_keys set
  expires_at = date_trunc('second', expires_at),
  token_expires_at = date_trunc('second', expires_at)
  where expires_at is not null;
