import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAct, type Actor } from '../../audit/record-act.ts'
import { unauthorized } from '../../../platform/http/requests/authenticate.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { SignInMethod } from '../../../platform/db/tables/sign-in.ts'
import type { DeviceOwner, KnownDevices } from '../authentication/known-device.ts'
import { readLiveSession } from '../authentication/live-session.ts'
import type { SessionCookies } from '../authentication/session-cookie.ts'
import type { MailNewSignIn } from './mail-new-sign-in.ts'
import { renderSignedIn } from './session-record.ts'
import {
  deleteSessionOfToken,
  deleteSurplusSessions,
  insertSession,
  type SessionLimits,
  type SessionRow,
} from '../store/session-store.ts'

export interface StartedSession {
  readonly row: SessionRow
  readonly token: string
  readonly owner: DeviceOwner
}

export interface SignedInUser {
  readonly id: number
  readonly account_id: number
  readonly email: string
  /** The current hash, after any change in this transaction. */
  readonly password_hash: string | null
}

/** Ends the former session of the browser, and the oldest ones above the limit. */
const endFormerSessions = async (
  tx: Tx,
  actor: Actor,
  row: SessionRow,
  former: string | null,
): Promise<void> => {
  const ended = (await deleteSurplusSessions(tx, row)).map((uuid) => ({ uuid, accountId: row.account_id }))
  const replaced = former === null ? undefined : await deleteSessionOfToken(tx, former)
  if (replaced !== undefined) ended.push({ uuid: replaced.uuid, accountId: replaced.account_id })
  for (const { uuid, accountId } of ended)
    // The log of another account must not show who signs in now.
    await recordAct(
      tx,
      accountId === actor.accountId ? actor : { ...actor, accountId, userId: null, sessionId: null },
      {
        action: 'session.ended',
        subject: 'Session',
        subjectId: uuid,
      },
    )
}

/** How the user signed in. `proof` describes it in the audit log; a password alone needs none. */
export interface SignInProof {
  readonly method: SignInMethod
  readonly proof?: Readonly<Record<string, string>>
  /** When the user proved a factor; by default now. */
  readonly confirmedAt?: Date
}

/** Runs in the transaction that identified and locked this user. */
export const startSession = async (
  tx: Tx,
  request: FastifyRequest,
  user: SignedInUser,
  {
    limits,
    cookies,
    mailNewSignIn,
  }: {
    readonly limits: SessionLimits
    readonly cookies: SessionCookies
    /** Absent for a person who has just proven to own the address. */
    readonly mailNewSignIn?: MailNewSignIn
  },
  { method, proof, confirmedAt }: SignInProof,
): Promise<StartedSession> => {
  const from = { address: request.ip, userAgent: request.headers['user-agent'], method, confirmedAt }
  const { row, token } = await insertSession(tx, user, from, limits)
  const actor: Actor = {
    accountId: user.account_id,
    userId: user.id,
    apiKeyId: null,
    sessionId: row.uuid,
    address: request.ip,
    requestId: request.id,
  }
  await tx
    .updateTable('users')
    .set({ last_sign_in_at: row.created_at })
    .where('account_id', '=', user.account_id)
    .where('id', '=', user.id)
    .execute()
  await endFormerSessions(tx, actor, row, cookies.sessionOf(request.headers.cookie))
  await recordAct(tx, actor, {
    action: 'session.started',
    subject: 'Session',
    subjectId: row.uuid,
    after: proof ?? null,
  })
  await mailNewSignIn?.(tx, request, user)
  return { row, token, owner: { email: user.email, passwordHash: user.password_hash } }
}

/** Sends the session to the browser after the commit. */
export const sendStartedSession = async (
  reply: FastifyReply,
  { row, token, owner }: StartedSession,
  {
    database,
    cookies,
    devices,
    publicUrl,
  }: {
    readonly database: Database
    readonly cookies: SessionCookies
    readonly devices: KnownDevices
    readonly publicUrl: string
  },
): Promise<FastifyReply> => {
  const principal = await readLiveSession(database.kysely, { uuid: row.uuid })
  // Another request disabled the user in the meantime.
  if (principal === null) throw unauthorized('not_signed_in')
  const mark = devices.markFor(owner, cookies.deviceOf(reply.request.headers.cookie))
  const seconds = (row.expires_at.getTime() - row.created_at.getTime()) / 1_000
  return reply
    .code(201)
    .header('Location', `${publicUrl}/v3/session`)
    .header('Cache-Control', 'no-store')
    .header('Content-Type', 'application/json; charset=utf-8')
    .header('Set-Cookie', [cookies.keepSession(token, seconds), cookies.keepDevice(mark)])
    .send(await renderSignedIn(database, principal, row, token))
}
