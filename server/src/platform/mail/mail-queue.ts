import type { Queryable } from '../db/database.ts'
import type { Sealer } from '../base/secrets.ts'
import type { JobDefinition } from '../jobs/job-definition.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { MailKind, MailLanguage, MailParams } from './mail-kinds.ts'

interface SendMailJob {
  readonly mailId: number
}

/** With the backoff of the queue, these attempts take half a day. */
const retryLimit = 150

export const sendMailJob: JobDefinition<SendMailJob> = {
  name: 'mail.send',
  retryLimit,
  expireInSeconds: 300,
}

export interface NewMail<Kind extends MailKind> {
  readonly accountId: number
  readonly to: { readonly email: string; readonly language: MailLanguage | null }
  readonly kind: Kind
  readonly params: MailParams[Kind]
  /** Only one mail with this text is sent to the recipient. */
  readonly once?: string
  /** Not sent after this time. */
  readonly expiresAt?: Date
}

export interface MailQueue {
  /** Whether the operator has set an SMTP server. */
  readonly isOn: boolean
  /** Writes the mail and its job in the transaction of its cause. Does nothing without an SMTP server. */
  readonly add: <Kind extends MailKind>(tx: Queryable, mail: NewMail<Kind>) => Promise<void>
}

/** Params contain links with tokens, of which the database otherwise has only hashes. */
export const createMailQueue = ({
  isOn,
  jobs,
  sealer,
}: {
  readonly isOn: boolean
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly sealer: Sealer<'workers'>
}): MailQueue => ({
  isOn,
  add: async (tx, { accountId, to, kind, params, once, expiresAt }) => {
    if (!isOn) return
    const row = await tx
      .insertInto('mails')
      .values({
        account_id: accountId,
        recipient: to.email,
        language: to.language ?? 'en',
        kind,
        sealed_params: sealer.seal(Buffer.from(JSON.stringify(params))),
        once_key: once ?? null,
        expires_at: expiresAt ?? null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row !== undefined) await jobs.enqueue(tx, sendMailJob, { mailId: row.id })
  },
})
