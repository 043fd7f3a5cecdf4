import type { FastifyRequest } from 'fastify'
import { recordAct, unprovenActorOf } from '../audit/record-act.ts'
import type { KnownDevices } from '../identity/authentication/known-device.ts'
import type { SessionCookies } from '../identity/authentication/session-cookie.ts'
import type { SessionRouteDependencies } from '../identity/sessions/session-record.ts'
import { requireAttempt } from '../identity/sessions/require-attempt.ts'
import {
  bucketsOfAddress,
  giveBackAttempt,
  type AttemptBuckets,
} from '../identity/sessions/sign-in-attempts.ts'
import { startSession, type StartedSession } from '../identity/sessions/start-session.ts'
import { findUserIdOf, type ProviderIdentity } from '../identity/store/user-identities.ts'
import type { Tx } from '../../platform/db/database.ts'
import { Problem, type ProblemReason } from '../../platform/base/problem.ts'
import { ProviderFailure } from '../partners/provider/provider-failure.ts'
import { findConnection, storeSignInState, type ConnectionRow } from '../partners/store/connection-store.ts'
import { redeemSignIn, type ProvenPerson, type SignInAttempt } from '../partners/sign-in/redeem-sign-in.ts'
import { signInClientIdOf } from '../partners/sign-in/sign-in-client.ts'
import { redirectUriOf } from '../partners/connections/sign-in-settings.ts'
import type { createSignInProviders } from '../partners/sign-in/sign-in-providers.ts'
import { identifyPerson, type Refusal } from './identify-person.ts'
import { recordFailure } from './record-failure.ts'
import type { SsoStates } from './sso-states.ts'
import type { MailNewSignIn } from '../identity/sessions/mail-new-sign-in.ts'
import { useState } from '../identity/store/used-states.ts'

export interface FinishDependencies extends SessionRouteDependencies {
  readonly cookies: SessionCookies
  readonly devices: KnownDevices
  readonly mailNewSignIn: MailNewSignIn
  /** Limit on failed attempts of one IP address; 0 = no limit. */
  readonly signInsPerMinute: number
  readonly states: SsoStates
  readonly providers: ReturnType<typeof createSignInProviders>
}

const reasons = {
  'unverified-email': 'sso_email_unverified',
  unknown: 'sso_user_unknown',
  disabled: 'sso_user_unknown',
  'somebody-else': 'sso_identity_changed',
} as const satisfies Readonly<Record<Refusal, ProblemReason>>

/** Only the number of attempts per network is limited, because there is no password to guess. */
const attemptsOf = ({ ip }: FastifyRequest, perMinute: number): AttemptBuckets => ({
  shared: bucketsOfAddress(ip, perMinute, 'sso address'),
  own: null,
})

/**
 * Verifies the state without counting or writing anything. Throws 'invalid' for an answer that this browser
 * did not request.
 */
const resumeAttempt = (
  { cookies, states }: FinishDependencies,
  request: FastifyRequest,
  answer: URL,
  accountId: number,
): SignInAttempt => {
  const browser = cookies.ssoOf(request.headers.cookie)
  const state = answer.searchParams.getAll('state')
  const attempt =
    browser === null || state.length !== 1
      ? null
      : states.resume(state[0] ?? '', browser, accountId, Date.now())
  if (attempt === null) throw new Problem('sso_attempt_unknown')
  return attempt
}

const requireOpen = (row: ConnectionRow | undefined): ConnectionRow => {
  if (row?.sign_in_is_enabled === true) return row
  throw new Problem('sso_turned_off')
}

const recordRefusal = async (
  tx: Tx,
  request: FastifyRequest,
  row: ConnectionRow,
  { userId, refusal }: { readonly userId: number | null; readonly refusal: Refusal },
): Promise<void> => {
  const subject = userId === null ? 'IdentityProvider' : 'User'
  await recordAct(tx, unprovenActorOf(request, row.account_id), {
    action: 'session.refused',
    subject,
    subjectId: userId ?? row.id,
    after: { Issuer: row.issuer, Reason: refusal },
  })
}

const sessionFor = async (
  { database, limits, cookies, mailNewSignIn, signInsPerMinute }: FinishDependencies,
  request: FastifyRequest,
  row: ConnectionRow,
  person: ProvenPerson,
): Promise<StartedSession> => {
  const identity: ProviderIdentity = {
    accountId: row.account_id,
    issuer: row.issuer,
    clientId: signInClientIdOf(row),
    subject: person.subject,
  }
  // A known identity does not need the address.
  const email = (await findUserIdOf(database.kysely, identity)) === null ? await person.readEmail() : null
  const outcome = await database.transaction(async (tx) => {
    const present = requireOpen(await findConnection(tx, row.account_id))
    if (
      present.id !== row.id ||
      present.issuer !== row.issuer ||
      signInClientIdOf(present) !== identity.clientId
    )
      throw new Problem('sso_provider_changed')
    const found = await identifyPerson(tx, identity, email)
    if ('refusal' in found) {
      await recordRefusal(tx, request, row, found)
      return found
    }
    await giveBackAttempt(tx, attemptsOf(request, signInsPerMinute))
    return startSession(
      tx,
      request,
      found.user,
      { limits, cookies, mailNewSignIn },
      // Without a time, the provider may have asked days ago.
      {
        method: 'IdentityProvider',
        proof: { Issuer: row.issuer },
        confirmedAt: person.askedAt ?? new Date(0),
      },
    )
  })
  if ('refusal' in outcome) throw new Problem(reasons[outcome.refusal])
  return outcome
}

/**
 * Signs a person in with the provider's answer. Returns the Set-Cookie values; throws a problem with a
 * message for the person.
 */
export const finishSignIn = async (
  dependencies: FinishDependencies,
  request: FastifyRequest,
  accountId: number,
): Promise<string[]> => {
  const { database, cookies, devices, publicUrl, signInsPerMinute, providers } = dependencies
  const answer = new URL(redirectUriOf(publicUrl, accountId))
  answer.search = new URL(request.url, publicUrl).search
  const attempt = resumeAttempt(dependencies, request, answer, accountId)
  // Counts before the state is used, so that a person who must wait can retry with it.
  const buckets = attemptsOf(request, signInsPerMinute)
  await requireAttempt(database, buckets)
  if (!(await useState(database.kysely, attempt.state, accountId))) throw new Problem('sso_attempt_used')
  const row = requireOpen(await findConnection(database.kysely, accountId))
  const started = await providers(row)
    .then((configuration) => redeemSignIn(configuration, answer, attempt))
    .then((person) => sessionFor(dependencies, request, row, person))
    .catch(async (error: unknown) => {
      if (error instanceof Problem) throw error
      // Provider failures do not count against the person.
      if (error instanceof ProviderFailure) await database.transaction((tx) => giveBackAttempt(tx, buckets))
      return recordFailure(request, database, row, error)
    })
  if (row.sign_in_failure !== null) await storeSignInState(database.kysely, row, null)
  const { expires_at, created_at } = started.row
  return [
    cookies.keepSession(started.token, (expires_at.getTime() - created_at.getTime()) / 1_000),
    cookies.keepDevice(devices.markFor(started.owner, cookies.deviceOf(request.headers.cookie))),
    cookies.dropSso(),
  ]
}
