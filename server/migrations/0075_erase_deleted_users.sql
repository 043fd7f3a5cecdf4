-- Workers erase deleted users when the retention time ends. With the right to update the table, a worker that is taken over could also set the
-- password of an administrator. The body is bound to the tables now: a table of the caller with the same name changes nothing.
create function erase_deleted_users(deleted_before timestamptz) returns table (id bigint, account_id bigint)
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update users set email = '', name = '', password_hash = null
  where deleted_at < deleted_before and email <> ''
  returning users.id, users.account_id;
end;

revoke all on function erase_deleted_users from public;
