import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../../platform/db/database.ts'
import type { MailKind, MailParams } from '../../../platform/mail/mail-kinds.ts'
import type { MailQueue } from '../../../platform/mail/mail-queue.ts'
import { bucketsOfCode, readAttempts } from '../sessions/sign-in-attempts.ts'
import type { UserKey } from '../store/factor-store.ts'

export interface FactorMails {
  readonly mails: MailQueue
  readonly publicUrl: string
}

type FactorKind = 'app-added' | 'passkey-added' | 'codes-refused'

/** Notifies the owner in the transaction of the act. */
const mailOwner = async <Kind extends FactorKind & MailKind>(
  tx: Tx,
  request: FastifyRequest,
  { mails, publicUrl }: FactorMails,
  user: UserKey,
  mail: {
    readonly kind: Kind
    readonly params: Omit<MailParams[Kind], 'at' | 'address' | 'link'>
    readonly once?: string
  },
): Promise<void> => {
  if (!mails.isOn) return
  const owner = await tx
    .selectFrom('users')
    .select(['email', 'language'])
    .where('account_id', '=', user.account_id)
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  const act = { at: new Date().toISOString(), address: request.ip, link: `${publicUrl}/console/security` }
  await mails.add(tx, {
    accountId: user.account_id,
    to: owner,
    kind: mail.kind,
    params: { ...mail.params, ...act } as MailParams[Kind],
    ...(mail.once === undefined ? {} : { once: mail.once }),
  })
}

export const mailNewApp = (tx: Tx, request: FastifyRequest, mails: FactorMails, user: UserKey) =>
  mailOwner(tx, request, mails, user, { kind: 'app-added', params: {} })

export const mailNewPasskey = (
  tx: Tx,
  request: FastifyRequest,
  mails: FactorMails,
  user: UserKey,
  name: string,
) => mailOwner(tx, request, mails, user, { kind: 'passkey-added', params: { name } })

/** Notifies the owner when the wrong codes begin to be delayed, once for each series. Their sender knows the password. */
export const mailRefusedCodes = async (
  tx: Tx,
  request: FastifyRequest,
  mails: FactorMails,
  user: UserKey,
): Promise<void> => {
  const { own } = bucketsOfCode(user.id)
  const attempts = await readAttempts(tx, own)
  if (attempts === null || attempts.count < own.freeAttempts) return
  const once = `codes-refused ${attempts.beganAt.toISOString()}`
  await mailOwner(tx, request, mails, user, { kind: 'codes-refused', params: {}, once })
}
