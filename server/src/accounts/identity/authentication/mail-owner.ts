import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../../platform/db/database.ts'
import type { MailParams } from '../../../platform/mail/mail-kinds.ts'
import type { MailQueue } from '../../../platform/mail/mail-queue.ts'
import type { UserKey } from '../store/factor-store.ts'

export interface UserMails {
  readonly mails: MailQueue
  readonly publicUrl: string
}

type OwnerKind = 'app-added' | 'passkey-added' | 'codes-refused' | 'password-changed'

/** Notifies the owner of a user in the transaction of the act. */
export const mailOwner = async <Kind extends OwnerKind>(
  tx: Tx,
  request: FastifyRequest,
  { mails, publicUrl }: UserMails,
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
