import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { PendingSignIns } from '../authentication/pending-sign-ins.ts'
import type { SessionCookies } from '../authentication/session-cookie.ts'
import { isTwoFactor, namesOf, readFactors } from '../store/factor-store.ts'
import type { SessionLimits } from '../store/session-store.ts'
import type { MailNewSignIn } from './mail-new-sign-in.ts'
import { startSession, type SignedInUser, type StartedSession } from './start-session.ts'

/**
 * Starts a session, or returns the problem that asks for the second factor of the user. The caller throws it
 * after the commit.
 */
export const startAfterPassword = async (
  tx: Tx,
  request: FastifyRequest,
  user: SignedInUser,
  {
    limits,
    cookies,
    pendings,
    mailNewSignIn,
  }: {
    readonly limits: SessionLimits
    readonly cookies: SessionCookies
    readonly pendings: PendingSignIns
    /** Absent for a person who has just proven to own the address. */
    readonly mailNewSignIn?: MailNewSignIn
  },
): Promise<StartedSession | Problem> => {
  const factors = await readFactors(tx, user)
  if (!isTwoFactor(factors))
    return startSession(
      tx,
      request,
      user,
      { limits, cookies, ...(mailNewSignIn && { mailNewSignIn }) },
      { method: 'Password' },
    )
  return new Problem(
    'second_factor_required',
    { factors: namesOf(factors) },
    {
      headers: {
        'Set-Cookie': cookies.keepPending(pendings.begin(user)),
        'WWW-Authenticate': 'Bearer realm="Zoetrope"',
      },
    },
  )
}
