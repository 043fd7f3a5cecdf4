import { newMessage } from '../../../platform/base/message.ts'
import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { ProviderFailure } from './provider-failure.ts'
import { getDocument, type JsonObject } from './request-json.ts'

export interface ProviderEndpoints {
  readonly tokenEndpoint: string
  readonly keySetUri: string
}

const maxUrlLength = 2_048

export const urlOf = (document: JsonObject, name: string, url: string): string => {
  const value = document[name]
  if (typeof value !== 'string' || value.length > maxUrlLength || !URL.canParse(value))
    throw new ProviderFailure('refused', 'discovery', newMessage('provider_endpoint_missing', { url, name }))
  return value
}

export const discoveryUrl = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/**
 * Reads the discovery document and checks that it names the issuer (OpenID Connect Discovery 1.0, section 4).
 * Throws ProviderFailure.
 */
export const readDiscovery = async (agent: GuardedAgent, issuer: string): Promise<JsonObject> => {
  const url = discoveryUrl(issuer)
  const document = await getDocument(agent, 'discovery', url)
  if (document['issuer'] !== issuer) {
    const named = JSON.stringify(document['issuer'] ?? null).slice(0, 200)
    throw new ProviderFailure(
      'refused',
      'discovery',
      newMessage('provider_issuer_differs', { url, named, issuer }),
    )
  }
  return document
}

export const discoverProvider = async (agent: GuardedAgent, issuer: string): Promise<ProviderEndpoints> => {
  const document = await readDiscovery(agent, issuer)
  const url = discoveryUrl(issuer)
  return {
    tokenEndpoint: urlOf(document, 'token_endpoint', url),
    keySetUri: urlOf(document, 'jwks_uri', url),
  }
}

/**
 * Throws ProviderFailure unless the set has a public key (RFC 7517, section 5), which receivers need to
 * verify tokens. Shared secrets (`oct`) do not count.
 */
export const checkKeySet = async (agent: GuardedAgent, keySetUri: string): Promise<void> => {
  const { keys } = await getDocument(agent, 'keys', keySetUri)
  const isPublic = (key: unknown): boolean =>
    ['RSA', 'EC', 'OKP'].includes(String((key as { kty?: unknown } | null)?.kty))
  if (!Array.isArray(keys) || !keys.some(isPublic))
    throw new ProviderFailure(
      'refused',
      'keys',
      newMessage('provider_without_public_key', { url: keySetUri }),
    )
}
