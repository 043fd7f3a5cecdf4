export const accessProblems = {
  authentication_required: [
    'unauthorized',
    'An API key is required. Send it as "Authorization: Bearer <API key>".',
  ],
  authorization_malformed: [
    'unauthorized',
    'The Authorization header must be exactly one "Bearer <API key>".',
  ],
  api_key_invalid: [
    'unauthorized',
    'The API key is malformed, revoked or from another installation. Send a valid key as "Authorization: Bearer <API key>".',
  ],
  api_key_expired: ['key_expired', 'The API key has expired. Use another key, or extend this one.'],
  address_not_allowed: [
    'forbidden',
    'This API key may not be used from the address {address}. Use a key without AllowedNetworks, or add the network to the key.',
  ],
  access_revoked: ['unauthorized', 'This API key or session was revoked, or its user was disabled.'],
  not_signed_in: ['unauthorized', 'You are no longer signed in. Sign in again.'],
  sign_in_failed: [
    'unauthorized',
    'E-mail address or password is wrong, or this user may not sign in. Passwords are case-sensitive.',
  ],
  second_factor_required: [
    'unauthorized',
    'This sign-in requires a second factor ({factors}). Enter a code, or sign in with the passkey.',
  ],
  second_factor_wrong: [
    'unauthorized',
    'This code is wrong, has expired or was used before. Enter the current code of your app, or an unused recovery code.',
  ],
  sign_in_not_begun: [
    'unauthorized',
    'This sign-in was not started in this browser, or took longer than ten minutes. Enter your password again.',
  ],
  passkey_refused: [
    'unauthorized',
    'This passkey was not accepted: it was removed, or took too long. Try again, or use your password.',
  ],
  fresh_factor_required: [
    'forbidden',
    'Confirm your identity with POST /session/confirmation first. A confirmation or sign-in counts for ten minutes.',
  ],
  second_factor_setup_required: [
    'forbidden',
    'Your account requires a second factor. Set up an authenticator app or a passkey first.',
  ],
  sign_in_link_invalid: [
    'not_found',
    'This link is not valid: it was used, has expired, or Zoetrope has restarted since. Each start prints a new link.',
  ],
  invitation_link_invalid: [
    'not_found',
    'This link is not valid: it was used, revoked or has expired. Ask the sender for a new one.',
  ],
  mail_off: ['not_found', 'This installation sends no e-mails. Ask an administrator for a password link.'],
  permission_missing: [
    'forbidden',
    'Your key or role does not allow {permission}. Ask an administrator for it.',
  ],
  own_files_permission_missing: [
    'forbidden',
    'Your key or role does not allow files:write, or files:write-own for files that you created. Ask an administrator for it.',
  ],
  file_of_other_user: [
    'forbidden',
    'Your key or role does not allow files:write, which you need because another user created file {fileId}. Ask an administrator for it.',
  ],
  permission_missing_in_project: [
    'forbidden',
    'Your key or role does not allow {permission} in project {projectId}. Ask an administrator for it.',
  ],
  permission_missing_outside_projects: [
    'forbidden',
    'Your key or role does not allow {permission} outside of projects. Ask an administrator for it.',
  ],
  key_restricted: [
    'forbidden',
    'This API key or user is restricted to certain projects and cannot use resources of the whole account. Use a key for all projects.',
  ],
  cross_site_request: [
    'forbidden',
    'This request comes from another site. With a session cookie, only pages of this installation may change data.',
  ],
  cross_site_events: [
    'forbidden',
    'With a session cookie, only pages of this installation may follow events.',
  ],
  public_url_is_http: [
    'forbidden',
    'You cannot sign in over HTTPS because ZOETROPE_PUBLIC_URL begins with http. Set it to the address that browsers use.',
  ],
  csrf_token_missing: [
    'forbidden',
    'A change with a session cookie needs the header X-CSRF-Token with the CsrfToken of GET /session.',
  ],
  too_many_attempts: ['rate_limited', 'Too many attempts. Try again in {seconds} s.'],
  too_many_sign_ins: [
    'unavailable',
    'Too many people are signing in at the moment. Try again in a few seconds.',
  ],
  too_many_refused_keys: [
    'rate_limited',
    'Too many invalid API keys were sent from your address. Try again in {seconds} s with a valid key.',
  ],
  rate_limit_exceeded: [
    'rate_limited',
    'This API key or user has used its {limit} {kind} for this minute. Try again in {seconds} s.',
  ],
  too_many_audit_streams: [
    'rate_limited',
    'This key or user has {limit} streams of the audit log open. Close one of them first.',
  ],
  too_many_exports: [
    'rate_limited',
    'This key or user has {limit} exports in progress. Wait until one of them ends.',
  ],
  too_many_connections: [
    'rate_limited',
    'Your network has {limit} requests in progress, the limit for one address. Try again in a few seconds.',
  ],
  too_many_event_streams_of_address: [
    'rate_limited',
    'Your network has {limit} event streams open, the limit for one address. Close one of them first.',
  ],
  too_many_event_streams: [
    'rate_limited',
    'This key or user has {limit} event streams open. Close one of them first.',
  ],
  metrics_token_required: [
    'unauthorized',
    'Metrics require a token. Set ZOETROPE_METRICS_TOKEN, and send it as `Authorization: Bearer`.',
  ],
  nodes_only: ['unauthorized', 'This address is for other nodes of the installation.'],
} as const
