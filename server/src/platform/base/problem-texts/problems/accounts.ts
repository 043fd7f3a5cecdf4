export const accountsProblems = {
  user_not_found: ['not_found', 'User {userId} does not exist.'],
  user_disabled: ['conflict', 'User {userId} is disabled. Enable the user first.'],
  email_in_use: ['conflict', 'This Email is already in use. Choose another one.'],
  last_administrator: [
    'conflict',
    'This is the last enabled Administrator without a lower role in a project. Make another user such an Administrator first.',
  ],
  cannot_delete_yourself: ['conflict', 'You cannot delete yourself. Ask another administrator.'],
  cannot_disable_yourself: ['conflict', 'You cannot disable yourself. Ask another administrator.'],
  role_exceeds_caller: [
    'forbidden',
    'The role {role} allows {permission}, which your key or role does not. You can only grant permissions that you have.',
  ],
  project_role_exceeds_caller: [
    'forbidden',
    'The role {role} in project {projectId} allows {permission}, which your key or role does not. You can only grant permissions that you have.',
  ],
  scopes_exceed_caller: ['forbidden', 'An API key cannot grant scopes that it does not have itself.'],
  key_outlives_caller: [
    'forbidden',
    'Your API key expires at {expiresAt} and cannot extend itself or another key beyond that. Choose an earlier ExpiresAt.',
  ],
  networks_exceed_caller: [
    'forbidden',
    'Your API key is limited to networks and cannot open a key to others. Choose AllowedNetworks within its own.',
  ],
  expiring_key_grants_access: [
    'forbidden',
    'Your API key expires and cannot grant permanent access. Use a key that does not expire.',
  ],
  limited_key_grants_access: [
    'forbidden',
    'Your API key is limited to networks and cannot grant access from others. Use a key without AllowedNetworks.',
  ],
  api_key_not_found: ['not_found', 'API key {apiKeyId} does not exist.'],
  no_session: ['not_found', 'This request uses an API key and has no session.'],
  session_not_found: ['not_found', 'Session {sessionId} does not exist.'],
  passkey_not_found: ['not_found', 'Passkey {passkeyId} does not exist.'],
  passkey_in_use: ['conflict', 'This passkey is registered already. Use another one.'],
  too_many_passkeys: ['conflict', 'You have {limit} passkeys. Remove one first.'],
  passkeys_unavailable: [
    'conflict',
    'Passkeys need an address with a host name. Ask the operator to set ZOETROPE_PUBLIC_URL to one, or use an authenticator app.',
  ],
  authenticator_app_exists: ['conflict', 'You have an authenticator app. Remove it first to set up another.'],
  authenticator_app_missing: ['not_found', 'You have no authenticator app.'],
  second_factor_missing: [
    'conflict',
    'You have no second factor. Set up an authenticator app or a passkey first.',
  ],
  last_second_factor: [
    'conflict',
    'Your account requires a second factor, and this is your last one. Set up another one first.',
  ],
  own_second_factor_missing: [
    'conflict',
    'You have no second factor yourself. Set one up before you require it of others.',
  ],
  factors_of_provider: [
    'forbidden',
    'You signed in with your identity provider, which manages your second factors. To add factors here, sign in with a password.',
  ],
  password_changed_meanwhile: ['conflict', 'The password has been changed in the meantime. Try again.'],
  invitation_not_found: ['not_found', 'Invitation {invitationId} does not exist.'],
  invitation_accepted: ['conflict', 'Invitation {invitationId} was accepted. Disable the user instead.'],
  provider_not_connected: ['not_found', 'No identity provider is connected.'],
  provider_settings_missing: [
    'not_found',
    'No identity provider is connected. Send Preset, Issuer and ClientId to connect one.',
  ],
  provider_changed: ['conflict', 'The connection was changed in the meantime. Try again.'],
  provider_refused_sign_in: ['forbidden', 'The identity provider did not sign you in: {message}.'],
  provider_answer_invalid: [
    'forbidden',
    'The response of the identity provider could not be verified, so you are not signed in. Start again. If it happens again, contact your administrator.',
  ],
  provider_did_not_ask: [
    'forbidden',
    'The identity provider did not ask you to sign in again, so your identity is not confirmed. Sign out there, and try again.',
  ],
  provider_sent_no_auth_time: [
    'forbidden',
    'The identity provider did not say when it asked you to sign in (claim auth_time), so your identity is not confirmed. Try again. If it happens again, ask your administrator to enable this claim there.',
  ],
  provider_unavailable: [
    'unavailable',
    'The identity provider does not respond. Try again in a minute, or sign in with your password.',
  ],
  provider_refuses_client: [
    'unavailable',
    'The identity provider refuses Zoetrope. Sign in with your password, or ask an Administrator to check the identity provider in the console.',
  ],
  signing_key_waiting: [
    'conflict',
    'The next key becomes active at {activeFrom}. Rotate again after that, or send IsCompromised to rotate now.',
  ],
  key_set_not_found: ['not_found', 'This key set does not exist.'],
  sso_attempt_unknown: [
    'invalid',
    'This sign-in was not started in this browser, or took longer than ten minutes. Start again.',
  ],
  sso_attempt_used: ['invalid', 'This sign-in was already used. Start again.'],
  sso_turned_off: [
    'forbidden',
    'Sign-in with this identity provider was turned off. Sign in with your password, or ask an Administrator.',
  ],
  sso_provider_changed: ['conflict', 'The identity provider was changed in the meantime. Start again.'],
  sso_email_unverified: [
    'forbidden',
    'Your identity provider does not confirm that it has verified your e-mail address. Ask its operator or an Administrator of your account.',
  ],
  sso_user_unknown: [
    'forbidden',
    'You have no user here, or your user may not sign in. Ask an Administrator of your account to add you.',
  ],
  sso_identity_changed: [
    'forbidden',
    'The user with your e-mail address belongs to another person at the identity provider. Ask an Administrator of your account to disable and enable this user to link it to you.',
  ],
  sso_email_required: ['invalid', 'Enter your e-mail address, so that your identity provider can be found.'],
  sso_not_available: [
    'not_found',
    'Sign-in with an identity provider is not available here. Sign in with your password, or ask an Administrator.',
  ],
} as const
