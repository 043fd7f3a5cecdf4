import type { Tx } from '../../../platform/db/database.ts'
import type { MailQueue } from '../../../platform/mail/mail-queue.ts'
import { readAccountName } from '../store/read-account-name.ts'
import type { InvitationRow } from './invitation-record.ts'

export interface LinkMails {
  readonly mails: MailQueue
  readonly publicUrl: string
}

export const linkUrlOf = (publicUrl: string, token: string): string => `${publicUrl}/accept#${token}`

/** E-mails the link of an invitation or a password link, in the transaction that creates it. */
export const mailLink = async (
  tx: Tx,
  { mails, publicUrl }: LinkMails,
  { row, token }: { readonly row: InvitationRow; readonly token: string },
): Promise<void> => {
  if (!mails.isOn) return
  const account = await readAccountName(tx, row.account_id)
  const readUser = (id: number) =>
    tx
      .selectFrom('users')
      .select(['name', 'email', 'language'])
      .where('account_id', '=', row.account_id)
      .where('id', '=', id)
      .executeTakeFirst()
  const common = {
    accountId: row.account_id,
    expiresAt: row.expires_at,
  }
  const [link, expiresAt] = [linkUrlOf(publicUrl, token), row.expires_at.toISOString()]
  if (row.user_id === null) {
    const inviter = await readUser(row.created_by)
    await mails.add(tx, {
      ...common,
      // The language of the new user is not known yet.
      to: { email: row.email, language: inviter?.language ?? null },
      kind: 'invitation',
      params: { account, inviter: inviter?.name || (inviter?.email ?? ''), link, expiresAt },
    })
    return
  }
  const user = await readUser(row.user_id)
  await mails.add(tx, {
    ...common,
    to: { email: row.email, language: user?.language ?? null },
    kind: 'password-link',
    params: { account, link, expiresAt },
  })
}
