import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../platform/db/database.ts'
import type { AuditAction } from './audit-action.ts'
import { changesBetween, type Masks } from './changes-between.ts'

export interface Actor {
  readonly accountId: number
  /** Null for a refused sign-in and for Zoetrope itself. */
  readonly userId: number | null
  readonly apiKeyId: string | null
  readonly sessionId: string | null
  readonly address: string
  readonly requestId: string
}

export const actorOf = ({ principal, ip, id }: FastifyRequest): Actor => ({
  accountId: principal.accountId,
  userId: principal.userId,
  apiKeyId: principal.apiKeyId,
  sessionId: principal.sessionId,
  address: ip,
  requestId: id,
})

/** The actor of a request that has proved no user. */
export const unprovenActorOf = ({ ip, id }: FastifyRequest, accountId: number): Actor => ({
  accountId,
  userId: null,
  apiKeyId: null,
  sessionId: null,
  address: ip,
  requestId: id,
})

export const systemOf = (accountId: number): Actor => ({
  accountId,
  userId: null,
  apiKeyId: null,
  sessionId: null,
  address: '',
  requestId: '',
})

export interface Act {
  readonly action: AuditAction
  readonly subject: string
  readonly subjectId: number | string
  /** The record as the API returns it; absent or null if it did not exist. */
  readonly before?: object | null
  readonly after?: object | null
  readonly masks?: Masks
}

/** Writes the entry in the transaction of the act. An act without changes adds no entry. */
export const recordAct = async (tx: Tx, actor: Actor, act: Act): Promise<void> => {
  const { before = null, after = null } = act
  const changes = changesBetween(before, after, act.masks)
  if (before !== null && after !== null && changes.length === 0) return
  await tx
    .insertInto('audit_entries')
    .values({
      account_id: actor.accountId,
      action: act.action,
      user_id: actor.userId,
      api_key_id: actor.apiKeyId,
      session_id: actor.sessionId,
      address: actor.address,
      request_id: actor.requestId,
      subject: act.subject,
      subject_id: String(act.subjectId),
      changes: JSON.stringify(changes),
    })
    .execute()
}
