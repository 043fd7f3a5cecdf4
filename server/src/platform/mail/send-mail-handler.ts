import type { Database } from '../db/database.ts'
import type { Log } from '../log/log.ts'
import type { Sealer } from '../base/secrets.ts'
import type { JobAttempt } from '../jobs/run-job.ts'
import type { MailKind, MailParams } from './mail-kinds.ts'
import { renderMail } from './render-mail.ts'
import { MailRefusedError } from './mail-refused-error.ts'
import type { SmtpClient } from './smtp-client.ts'

interface SendMailDependencies {
  readonly database: Database
  readonly sealer: Sealer<'workers'>
  readonly log: Log
  /** Null when the operator has removed the SMTP server. */
  readonly smtp: SmtpClient | null
}

type Outcome = { readonly state: 'sent' | 'failed'; readonly last_error: string | null }

/**
 * Sends one mail. A worker that is killed after the server took it sends it again with the same Message-ID.
 */
export const createSendMailHandler =
  ({ database, sealer, log, smtp }: SendMailDependencies) =>
  async ({ mailId }: { readonly mailId: number }, _signal: AbortSignal, attempt: JobAttempt) => {
    const { kysely } = database
    const row = await kysely
      .selectFrom('mails')
      .selectAll()
      .where('id', '=', mailId)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    if (row?.sealed_params == null) return
    const settle = async ({ state, last_error }: Outcome): Promise<void> => {
      await kysely
        .updateTable('mails')
        .set({ state, last_error, attempts: attempt.number, ended_at: new Date(), sealed_params: null })
        .where('id', '=', mailId)
        .execute()
      if (state === 'failed') log.error({ mailId, kind: row.kind, reason: last_error }, 'mail not sent')
    }
    if (row.expires_at !== null && row.expires_at.getTime() <= Date.now())
      return settle({ state: 'failed', last_error: row.last_error ?? 'It expired before it could be sent.' })
    if (smtp === null) return settle({ state: 'failed', last_error: 'ZOETROPE_SMTP_URL is not set.' })
    const kind = row.kind as MailKind
    try {
      const params = JSON.parse(sealer.open(row.sealed_params).toString()) as MailParams[MailKind]
      await smtp.send(row.recipient, renderMail(kind, row.language, params), row.message_id)
    } catch (error) {
      const { message } = error as Error
      if (error instanceof MailRefusedError || attempt.isLast)
        return settle({ state: 'failed', last_error: message })
      await kysely
        .updateTable('mails')
        .set({ last_error: message, attempts: attempt.number })
        .where('id', '=', mailId)
        .execute()
      throw error
    }
    await settle({ state: 'sent', last_error: null })
    log.info({ mailId, kind: row.kind }, 'mail sent')
  }
