-- Before 0026 links did not say by which key they were made, so those of keys count as made in a session. Which these are nobody knows any more:
-- all that are open and say no key are taken back, and the log says so.
with revoked as (
  update invitations set revoked_at = now()
  where api_key_id is null and accepted_at is null and revoked_at is null and expires_at > now()
  returning account_id, id
)
insert into audit_entries (account_id, action, address, request_id, subject, subject_id)
select account_id, 'invitation.revoked', '', '', 'Invitation', id::text from revoked order by id;

-- Whether an account has users of a domain: one look for each account, however many users of the domain there are elsewhere.
create index users_of_account_by_domain on users (account_id, lower(split_part(email, '@', 2))) where deleted_at is null;
drop index users_by_domain;
