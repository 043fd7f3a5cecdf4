import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../../platform/db/database.ts'
import type { MailQueue } from '../../../platform/mail/mail-queue.ts'
import type { User } from '../store/user-record.ts'

/** Notifies the former address of a user of the new one. */
export const mailNewAddress = async (
  tx: Tx,
  request: FastifyRequest,
  mails: MailQueue,
  { before, after }: Readonly<Record<'before' | 'after', User>>,
): Promise<void> => {
  if (!mails.isOn || after.row.email === before.row.email) return
  const changer = await tx
    .selectFrom('users')
    .select(['name', 'email'])
    .where('account_id', '=', before.row.account_id)
    .where('id', '=', request.principal.userId)
    .executeTakeFirstOrThrow()
  await mails.add(tx, {
    accountId: before.row.account_id,
    to: before.row,
    kind: 'email-changed',
    params: {
      changer: changer.name || changer.email,
      email: after.row.email,
      at: new Date().toISOString(),
      address: request.ip,
    },
  })
}
