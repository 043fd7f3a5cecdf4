import * as oidc from 'openid-client'
import { newMessage } from '../../../platform/base/message.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { ProviderFailure } from '../provider/provider-failure.ts'
import { askedAt, maxClockSkewSeconds } from './asked-at.ts'
import { verifiedEmail } from './verified-email.ts'

export interface SignInAttempt {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** When the attempt began, if the provider must ask the person again. Null for an ordinary sign-in. */
  readonly askAfterSeconds: number | null
}

export interface ProvenPerson {
  /** Never reassigned to another person, unlike an e-mail address. */
  readonly subject: string
  /** When the provider asked the person for a factor, as far as it says so. */
  readonly askedAt: Date | null
  /** Returns the address in lower case, or null unless the provider has verified it (`verifiedEmail`). */
  readonly readEmail: () => Promise<string | null>
}

const maxSubjectLength = 255

export const signInUrl = async (
  configuration: oidc.Configuration,
  attempt: SignInAttempt,
  { redirectUri, loginHint }: { readonly redirectUri: string; readonly loginHint: string | null },
): Promise<string> =>
  oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
    code_challenge_method: 'S256',
    ...(loginHint === null ? {} : { login_hint: loginHint }),
    // OpenID Connect Core, section 3.1.2.1: providers know one, the other or both.
    ...(attempt.askAfterSeconds === null ? {} : { prompt: 'login', max_age: '0' }),
  }).href

/** Formats the error as one short line; pages show it as text. */
const wordsOf = ({ error, error_description: description }: { error: string; error_description?: string }) =>
  [error, description]
    .filter((word) => word !== undefined)
    .join(': ')
    .replace(/[^\x20-\x7e\u00a0-\uffff]+/g, ' ')
    .slice(0, 300)

const causesOf = (error: unknown): unknown[] => {
  const causes: unknown[] = []
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause)
    causes.push(cause)
  return causes
}

/** Errors about the client; others, such as `invalid_request`, also occur for codes. */
const clientErrors = new Set(['invalid_client', 'unauthorized_client', 'unsupported_grant_type'])

/** Classifies an error: ProviderFailure for the provider or the settings, 'forbidden' for this attempt. */
const explained = (error: unknown): Error => {
  const failure = causesOf(error).find((cause) => cause instanceof ProviderFailure)
  if (failure !== undefined) return failure
  if (error instanceof oidc.ResponseBodyError && clientErrors.has(error.error))
    return new ProviderFailure(
      'refused',
      'sign-in',
      newMessage('provider_refused_client', { words: wordsOf(error) }),
    )
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return new Problem('provider_refused_sign_in', { message: wordsOf(error) })
  return new Problem('provider_answer_invalid', {}, { cause: error })
}

/**
 * Redeems a made-up code, which a working provider refuses as invalid. Throws ProviderFailure when the
 * refusal concerns the client.
 */
export const tryClient = async (configuration: oidc.Configuration, redirectUri: string): Promise<void> => {
  const url = new URL(redirectUri)
  url.search = new URLSearchParams({
    code: oidc.randomState(),
    iss: configuration.serverMetadata().issuer,
  }).toString()
  try {
    await oidc.authorizationCodeGrant(configuration, url, {
      expectedState: oidc.skipStateCheck,
      pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
    })
  } catch (error) {
    const reason = explained(error)
    if (reason instanceof ProviderFailure) throw reason
  }
}

/**
 * Redeems the provider's answer (OpenID Connect Core, section 3.1.3). Checks state, issuer (RFC 9207) and
 * code with PKCE, and the ID token's signature, issuer, audience, nonce and times. Throws ProviderFailure, or
 * 'forbidden' with a message for the person.
 */
export const redeemSignIn = async (
  configuration: oidc.Configuration,
  answer: URL,
  { state, nonce, codeVerifier, askAfterSeconds }: SignInAttempt,
): Promise<ProvenPerson> => {
  try {
    const tokens = await oidc.authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    const { client_id: clientId } = configuration.clientMetadata()
    if (claims === undefined || (claims['azp'] !== undefined && claims['azp'] !== clientId))
      throw new TypeError('the ID token was made for another client')
    // OpenID Connect Core, section 3.1.3.7, item 10, allows for small clock differences.
    if (claims.iat > Date.now() / 1_000 + maxClockSkewSeconds)
      throw new TypeError(`the ID token was issued more than ${maxClockSkewSeconds} seconds in the future`)
    // OpenID Connect Core, section 2: the subject has at most 255 ASCII characters.
    if (claims.sub.length > maxSubjectLength || !/^[\x20-\x7e]+$/.test(claims.sub))
      throw new TypeError('the subject is none')
    const { sub: subject } = claims
    const { issuer, userinfo_endpoint: userInfo } = configuration.serverMetadata()
    return {
      subject,
      askedAt: askedAt(claims.auth_time, issuer, askAfterSeconds),
      readEmail: async () => {
        // OpenID Connect Core, section 5.4: with an access token, the address may be available only from
        // UserInfo.
        if (claims['email'] !== undefined || userInfo === undefined) return verifiedEmail(claims, issuer)
        const userInfoClaims = await oidc
          .fetchUserInfo(configuration, tokens.access_token, subject)
          .catch((error: unknown) => Promise.reject(explained(error)))
        return verifiedEmail(userInfoClaims, issuer)
      },
    }
  } catch (error) {
    throw error instanceof Problem ? error : explained(error)
  }
}
