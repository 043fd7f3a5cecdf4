import type { Message } from '@zoetrope/vocabulary'
import { newMessage } from '../../../platform/base/message.ts'
import { discoveryUrl, urlOf } from '../provider/discover-provider.ts'
import { ProviderFailure } from '../provider/provider-failure.ts'
import type { JsonObject } from '../provider/request-json.ts'

/** Asymmetric algorithms only: no `none`, and no HMAC with a secret that others may hold. */
const signingAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

const textsOf = (document: JsonObject, name: string): readonly unknown[] | null => {
  const value = document[name]
  return Array.isArray(value) ? value : null
}

const refused = (message: Message): ProviderFailure => new ProviderFailure('refused', 'sign-in', message)

/**
 * Returns the metadata that sign-in needs from an issuer's discovery document. Throws ProviderFailure when
 * the provider does not support sign-in.
 */
export const signInMetadata = (document: JsonObject, issuer: string) => {
  const from = discoveryUrl(issuer)
  const authorizationEndpoint = urlOf(document, 'authorization_endpoint', from)
  // The browser opens this URL, so it may be in a private network that the server cannot reach. It must not
  // be a script or less secure than the issuer.
  if (!['https:', new URL(issuer).protocol].includes(new URL(authorizationEndpoint).protocol))
    throw refused(newMessage('provider_sign_in_not_https'))
  if (textsOf(document, 'response_types_supported')?.includes('code') === false)
    throw refused(newMessage('provider_without_code_flow'))
  // Some providers support S256 without listing it.
  if (textsOf(document, 'code_challenge_methods_supported')?.includes('S256') === false)
    throw refused(newMessage('provider_without_pkce'))
  const offered = textsOf(document, 'id_token_signing_alg_values_supported') ?? ['RS256']
  const algorithms = signingAlgorithms.filter((algorithm) => offered.includes(algorithm))
  if (algorithms.length === 0)
    throw refused(newMessage('provider_without_algorithm', { algorithms: signingAlgorithms.join(', ') }))
  return {
    issuer,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: urlOf(document, 'token_endpoint', from),
    jwks_uri: urlOf(document, 'jwks_uri', from),
    ...(document['userinfo_endpoint'] === undefined
      ? {}
      : { userinfo_endpoint: urlOf(document, 'userinfo_endpoint', from) }),
    id_token_signing_alg_values_supported: algorithms,
    authorization_response_iss_parameter_supported:
      document['authorization_response_iss_parameter_supported'] === true,
  }
}
