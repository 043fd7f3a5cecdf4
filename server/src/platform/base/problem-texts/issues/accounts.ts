export const accountsIssues = {
  unknown_project: 'names the unknown project {projectId}',
  project_given_twice: 'names project {projectId} twice',
  project_not_of_key: 'must be one of the projects that this key is restricted to',
  unknown_user: 'names the unknown user {userId}',
  unknown_scope: 'names the unknown scope "{scope}"; use e.g. files:read, files:* or *',
  cannot_be_extended: 'can only be narrowed; create a new key for more',
  later_than_token:
    'cannot be later than {expiresAt}, the expiry in the token itself; rotate the key for a later one',
  exceeds_key_policy:
    'must be within {days} days of the creation of the key, the longest lifetime in this account; choose an earlier time, or rotate the key',
  not_network:
    'must be a network such as 203.0.113.0/24 or 2001:db8::/32, or a single address, not "{value}"',
  wrong_password: 'is not the password of this user',
  wrong_code: 'is wrong, has expired or was used before',
  wrong_passkey: 'was not accepted: it belongs to another user or address, or took too long',
  too_few_different_characters: 'must have at least five different characters',
  repeated_characters: 'must not repeat the same few characters',
  contains_personal_data: 'must not contain your name, your e-mail address or the name Zoetrope',
  common_password:
    'is easy to guess: it consists of common words, names, dates or keyboard patterns; use four unrelated words, or a password manager',
  breached_password:
    'appears in a list of passwords that were stolen elsewhere, so attackers try it; choose another one',
  needs_sign_in_client: 'must be omitted: without SignIn.ClientId, sign-in uses the client for deliveries',
  sign_in_secret_missing: 'is required: none is stored for this issuer and client',
  issuer_required_for_sign_in: 'is required to turn SignIn on, because it identifies your users',
  client_required_for_sign_in: 'is required, because users cannot sign in with a service account',
  required_to_connect: 'is required to connect an identity provider for the first time',
  not_needed_with_client_key: 'must be omitted, because private_key_jwt uses the client key',
  client_secret_missing: 'is required: none is stored for this preset, issuer, client and authentication',
  not_private_key: 'must be the RSA private key of the service account in PEM',
  client_key_missing:
    'private_key_jwt requires a client key; create one with POST /modules/partners/clientkey and enter it at the provider',
  not_issuer_of_preset: 'must look like {example} with the preset {preset}',
  not_authentication_of_preset: 'must be {accepted} with the preset {preset}, not {value}',
  required_by_preset: 'is required: the preset {preset} issues no token without it',
  audience_not_in_preset: 'must be omitted with the preset {preset}, which uses Scope instead',
  provider_test_failed: 'was tested and refused: {cause}',
} as const
