import { createPrivateKey, randomUUID, type KeyObject } from 'node:crypto'
import type { Message } from '@zoetrope/vocabulary'
import { newMessage } from '../../../platform/base/message.ts'
import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { audienceParametersOf, type Authentication, type Preset } from './presets.ts'
import { ProviderFailure } from './provider-failure.ts'
import { requestJson, type ProviderAnswer } from './request-json.ts'
import { signJwt } from './sign-jwt.ts'

export interface TokenRequest {
  readonly preset: Preset
  readonly issuer: string
  readonly tokenEndpoint: string
  readonly clientId: string
  readonly authentication: Authentication
  /** PEM private key with `service_account`; null with `private_key_jwt`. */
  readonly clientSecret: string | null
  readonly clientKey: { readonly kid: string; readonly privateKey: KeyObject } | null
  readonly scope: string | null
  readonly audience: string | null
}

export interface AccessToken {
  readonly value: string
  readonly lifeSeconds: number
}

const assertionSeconds = 60
/** Used when the provider omits `expires_in`, which RFC 6749, section 5.1, allows. */
const assumedLifeSeconds = 300
const maxLifeSeconds = 86_400
/** Length that receivers accept in a header; RFC 6750, section 2.1, defines the characters. */
const maxTokenLength = 8_192
const tokenShape = /^[A-Za-z0-9\-._~+/]+=*$/

/** RFC 6749, section 2.3.1: id and secret are form-encoded before they become user name and password. */
const formEncode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

const assertion = (audience: string, nowSeconds: number) => ({
  aud: audience,
  jti: randomUUID(),
  iat: nowSeconds,
  exp: nowSeconds + assertionSeconds,
})

/**
 * Builds a JWT bearer grant (RFC 7523, section 2.1) for Google service accounts. With `target_audience` they
 * get a token that receivers can verify.
 */
const serviceAccountForm = (request: TokenRequest, key: KeyObject, nowSeconds: number): string[][] => {
  const claims = {
    ...assertion(request.tokenEndpoint, nowSeconds),
    iss: request.clientId,
    sub: request.clientId,
    ...(request.scope === null ? {} : { scope: request.scope }),
    ...(request.audience === null ? {} : { target_audience: request.audience }),
  }
  return [
    ['grant_type', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    ['assertion', signJwt({ alg: 'RS256', typ: 'JWT' }, claims, key)],
  ]
}

const clientCredentialsForm = (request: TokenRequest, nowSeconds: number): string[][] => {
  const { preset, issuer, authentication, clientId, clientSecret, clientKey, scope, audience } = request
  const form = [['grant_type', 'client_credentials']]
  if (scope !== null) form.push(['scope', scope])
  for (const name of audience === null ? [] : audienceParametersOf(preset))
    // RFC 8707, section 2: a resource is an absolute URI.
    if (audience !== null && (name === 'audience' || URL.canParse(audience))) form.push([name, audience])
  if (authentication === 'client_secret_post')
    form.push(['client_id', clientId], ['client_secret', clientSecret ?? ''])
  if (clientKey !== null) {
    // RFC 7523, section 3: the issuer is the only audience, so that no other provider can use the assertion.
    const claims = { ...assertion(issuer, nowSeconds), iss: clientId, sub: clientId }
    form.push(
      ['client_id', clientId],
      ['client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'],
      [
        'client_assertion',
        signJwt({ alg: 'RS256', typ: 'JWT', kid: clientKey.kid }, claims, clientKey.privateKey),
      ],
    )
  }
  return form
}

/** Parses the RSA key of a service account. Throws when the text is not an RSA key. */
export const parseServiceAccountKey = (pem: string): KeyObject => {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'rsa') throw new TypeError('not an RSA key')
  return key
}

const formOf = (request: TokenRequest, nowSeconds: number): string[][] =>
  request.authentication === 'service_account'
    ? serviceAccountForm(request, parseServiceAccountKey(request.clientSecret ?? ''), nowSeconds)
    : clientCredentialsForm(request, nowSeconds)

/** Returns the provider's error as one short line, with the secret masked in case the provider quotes it. */
const described = (json: ProviderAnswer['json'], secret: string | null): string => {
  const words = [json?.['error'], json?.['error_description']].filter((one) => typeof one === 'string')
  const line = words.join(': ').replace(/[^\x20-\x7e\u00a0-\uffff]+/g, ' ')
  return (secret === null ? line : line.replaceAll(secret, '…')).slice(0, 300)
}

const readToken = (request: TokenRequest, { status, json }: ProviderAnswer): AccessToken => {
  const { tokenEndpoint: url, clientSecret } = request
  const failed = (kind: 'refused' | 'unreachable', message: Message): ProviderFailure =>
    new ProviderFailure(kind, 'token', message)
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    const words = described(json, clientSecret)
    // An answer without an OAuth error may come from a proxy, unless its status is 401.
    const isItsWord = words !== '' || status === 401
    throw failed(
      isItsWord ? 'refused' : 'unreachable',
      words === ''
        ? newMessage('provider_refused_token_silently', { url, status })
        : newMessage('provider_refused_token', { url, words }),
    )
  }
  if (status !== 200 || json === null)
    throw failed('unreachable', newMessage('provider_gave_no_token', { url, status }))
  // Google returns an id_token to service accounts that request an audience.
  const value = json['access_token'] ?? json['id_token']
  const type = json['token_type'] ?? 'Bearer'
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    throw failed('refused', newMessage('provider_token_not_bearer', { url }))
  if (typeof value !== 'string' || value.length > maxTokenLength || !tokenShape.test(value))
    throw failed('refused', newMessage('provider_token_not_usable', { url, maxLength: maxTokenLength }))
  const life = Number(json['expires_in'] ?? assumedLifeSeconds)
  return { value, lifeSeconds: life > 0 ? Math.min(life, maxLifeSeconds) : assumedLifeSeconds }
}

/** Requests an access token from the provider. Throws ProviderFailure. */
export const requestToken = async (
  agent: GuardedAgent,
  request: TokenRequest,
  options: { readonly nowSeconds: number; readonly signal?: AbortSignal },
): Promise<AccessToken> => {
  const { authentication, clientId, clientSecret, tokenEndpoint } = request
  const basic = Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret ?? '')}`).toString('base64')
  const answer = await requestJson(agent, 'token', tokenEndpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(authentication === 'client_secret_basic' ? { authorization: `Basic ${basic}` } : {}),
    },
    body: new URLSearchParams(formOf(request, options.nowSeconds)).toString(),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  return readToken(request, answer)
}
