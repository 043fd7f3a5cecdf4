import type { Tx } from '../db/database.ts'
import type { MailKind } from './mail-kinds.ts'
import type { MailQueue, NewMail } from './mail-queue.ts'

/** E-mails all enabled Administrators of the account. */
export const mailAdministrators = async <Kind extends MailKind>(
  tx: Tx,
  mails: MailQueue,
  mail: Omit<NewMail<Kind>, 'to'>,
): Promise<void> => {
  if (!mails.isOn) return
  const people = await tx
    .selectFrom('users')
    .select(['email', 'language'])
    .where('account_id', '=', mail.accountId)
    .where('role', '=', 'Administrator')
    .where('is_enabled', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const to of people) await mails.add(tx, { ...mail, to })
}
