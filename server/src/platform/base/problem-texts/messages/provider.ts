/** Reasons why an identity provider failed. `words` is the message of the provider. */
export const providerMessages = {
  provider_not_reached: '{url}: {cause}',
  provider_answer_too_large: 'The answer of {url} is larger than 256 KiB.',
  provider_answered: '{url} answered {status} instead of 200.',
  provider_sign_in_answered: '{url} answered {status}.',
  provider_answer_not_json: '{url} did not answer with a JSON object.',
  provider_endpoint_missing: '{url} names no {name} that is a URL.',
  provider_issuer_differs: '{url} belongs to the issuer {named}, not "{issuer}".',
  provider_without_public_key: '{url} holds no public key.',
  provider_refused_token: '{url} returned no token: {words}.',
  provider_refused_token_silently: '{url} returned no token: it answered {status}.',
  provider_gave_no_token:
    '{url} answered {status} without a token. This does not show whether the client is valid.',
  provider_token_not_bearer: '{url} returned a token that is not a bearer token.',
  provider_token_not_usable: '{url} returned no token that fits into a header of {maxLength} characters.',
  provider_refused_client: 'The provider refuses the client: {words}.',
  provider_sign_in_not_https:
    'Sign-in is not possible: the authorization_endpoint of the provider is not https.',
  provider_without_code_flow:
    'Sign-in is not possible: the provider does not support the authorization code flow.',
  provider_without_pkce: 'Sign-in is not possible: the provider does not support PKCE with S256.',
  provider_without_algorithm:
    'Sign-in is not possible: the provider does not sign ID tokens with any of {algorithms}.',
} as const
