import * as oidc from 'openid-client'
import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { newMessage } from '../../../platform/base/message.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import type { ConnectionRow, CredentialRow } from '../store/connection-store.ts'
import { ProviderFailure } from '../provider/provider-failure.ts'
import { requestText, type JsonObject } from '../provider/request-json.ts'
import type { TokenRequest } from '../provider/request-token.ts'
import { signInMetadata } from './sign-in-metadata.ts'

export type SignInRow = CredentialRow &
  Pick<ConnectionRow, 'sign_in_is_enabled' | 'sign_in_client_id' | 'sealed_sign_in_secret'>

export type SignInClient = Pick<
  TokenRequest,
  'issuer' | 'clientId' | 'authentication' | 'clientSecret' | 'clientKey'
>

export const signInClientIdOf = ({
  sign_in_client_id,
  client_id,
}: Pick<ConnectionRow, 'sign_in_client_id' | 'client_id'>): string => sign_in_client_id ?? client_id

export const signInClientOf = (
  secrets: Secrets,
  row: SignInRow,
  ofDeliveries: Omit<TokenRequest, 'tokenEndpoint'>,
): SignInClient => {
  if (row.sign_in_client_id === null || row.sealed_sign_in_secret === null) return ofDeliveries
  return {
    issuer: row.issuer,
    clientId: row.sign_in_client_id,
    // RFC 6749, section 2.3.1: servers that accept a secret support this method.
    authentication:
      row.authentication === 'client_secret_post' ? 'client_secret_post' : 'client_secret_basic',
    clientSecret: secrets.open(row.sealed_sign_in_secret).toString('utf8'),
    clientKey: null,
  }
}

const bodiless = new Set([204, 205, 304])

/**
 * Routes the library's requests through the guarded agent with its limits. Redirects are returned as answers,
 * which the library refuses. Masks the secret in case the provider quotes it.
 */
const guardedFetch =
  (agent: GuardedAgent, secret: string | null): oidc.CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const {
      status,
      headers: answered,
      bodyExcerpt,
    } = await requestText(agent, 'sign-in', url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      body: body instanceof URLSearchParams ? body.toString() : null,
      ...(signal === undefined ? {} : { signal }),
    })
    if (status >= 500 || status === 429)
      throw new ProviderFailure(
        'unreachable',
        'sign-in',
        newMessage('provider_sign_in_answered', { url, status }),
      )
    const text = secret === null ? bodyExcerpt : bodyExcerpt.replaceAll(secret, '…')
    return new Response(bodiless.has(status) ? null : text, {
      status,
      headers: { 'content-type': String(answered['content-type'] ?? '') },
    })
  }

const authenticationOf = async ({
  authentication,
  clientSecret,
  clientKey,
}: SignInClient): Promise<oidc.ClientAuth> => {
  if (clientKey !== null) {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
    // Node's CryptoKey type has key usages that the DOM type lacks.
    const key = clientKey.privateKey.toCryptoKey(algorithm, false, ['sign']) as CryptoKey
    return oidc.PrivateKeyJwt({ key, kid: clientKey.kid })
  }
  const secret = clientSecret ?? ''
  return authentication === 'client_secret_post'
    ? oidc.ClientSecretPost(secret)
    : oidc.ClientSecretBasic(secret)
}

/**
 * Configures the OpenID Connect library for a provider and client. Throws ProviderFailure when the provider
 * does not support sign-in.
 */
export const configureSignIn = async (
  agent: GuardedAgent,
  client: SignInClient,
  document: JsonObject,
): Promise<oidc.Configuration> => {
  const configuration = new oidc.Configuration(
    signInMetadata(document, client.issuer),
    client.clientId,
    {},
    await authenticationOf(client),
  )
  configuration[oidc.customFetch] = guardedFetch(agent, client.clientSecret)
  // The guarded agent decides whether http is allowed.
  oidc.allowInsecureRequests(configuration)
  // Verifies the ID token's signature even though the token comes directly from the token endpoint.
  oidc.enableNonRepudiationChecks(configuration)
  return configuration
}
