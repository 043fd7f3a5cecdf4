import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../../platform/db/database.ts'
import type { MailQueue } from '../../../platform/mail/mail-queue.ts'
import type { ApiKeyRow } from '../store/api-key-record.ts'
import type { User } from '../store/user-record.ts'

/** Notifies the user of a new key. A rotated key replaces one that the user knows. */
export const mailNewKey = async (
  tx: Tx,
  request: FastifyRequest,
  { mails, publicUrl }: { readonly mails: MailQueue; readonly publicUrl: string },
  { row: owner }: User,
  key: ApiKeyRow,
): Promise<void> => {
  if (!mails.isOn) return
  const { name, email } = await tx
    .selectFrom('users')
    .select(['name', 'email'])
    .where('account_id', '=', key.account_id)
    .where('id', '=', request.principal.userId)
    .executeTakeFirstOrThrow()
  await mails.add(tx, {
    accountId: key.account_id,
    to: owner,
    kind: 'key-created',
    params: {
      label: key.label,
      creator: name || email,
      at: key.created_at.toISOString(),
      address: request.ip,
      link: `${publicUrl}/console/api-keys`,
    },
  })
}
