-- The key that a link was made with, if any: it is worth no more than that key.
alter table api_keys add unique (account_id, jti);
alter table invitations
  add column api_key_id uuid,
  add foreign key (account_id, api_key_id) references api_keys (account_id, jti);

-- Who was invited is told by the invitation, and by the user who came of it: the log must not outlive them.
update audit_entries
  set changes = coalesce(
    (
      select jsonb_agg(change order by place)
      from jsonb_array_elements(changes) with ordinality as told (change, place)
      where change ->> 'Field' != 'Email'
    ),
    '[]'
  )
  where subject = 'Invitation';

-- Some buckets are empty again so long after their first attempt, not after their last.
alter table sign_in_attempts add column began_at timestamptz not null default now();

create index audit_entries_of_request on audit_entries (account_id, request_id);
create index audit_entries_by_time on audit_entries (account_id, occurred_at);
