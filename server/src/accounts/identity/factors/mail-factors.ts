import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../../platform/db/database.ts'
import { mailOwner, type UserMails } from '../authentication/mail-owner.ts'
import { bucketsOfCode, readAttempts } from '../sessions/sign-in-attempts.ts'
import type { UserKey } from '../store/factor-store.ts'

export const mailNewApp = (tx: Tx, request: FastifyRequest, mails: UserMails, user: UserKey) =>
  mailOwner(tx, request, mails, user, { kind: 'app-added', params: {} })

export const mailNewPasskey = (
  tx: Tx,
  request: FastifyRequest,
  mails: UserMails,
  user: UserKey,
  name: string,
) => mailOwner(tx, request, mails, user, { kind: 'passkey-added', params: { name } })

/** Notifies the owner when the wrong codes begin to be delayed, once for each series. Their sender knows the password. */
export const mailRefusedCodes = async (
  tx: Tx,
  request: FastifyRequest,
  mails: UserMails,
  user: UserKey,
): Promise<void> => {
  const { own } = bucketsOfCode(user.id)
  const attempts = await readAttempts(tx, own)
  if (attempts === null || attempts.count < own.freeAttempts) return
  const once = `codes-refused ${attempts.beganAt.toISOString()}`
  await mailOwner(tx, request, mails, user, { kind: 'codes-refused', params: {}, once })
}
