import { openConnection, type ConnectionOptions } from '../../../platform/db/driver/connection.ts'
import type { Config } from '../../config/config.ts'
import { finding, type Finding } from './finding.ts'

interface FailedMails {
  readonly count: number
  readonly lastError: string | null
}

/** Null when the database cannot be read or has no such table; other checks report that. */
const countFailed = async (connection: ConnectionOptions): Promise<FailedMails | null> => {
  try {
    const probe = await openConnection(connection)
    try {
      const [found] = await probe.rows<FailedMails>(
        `select count(*)::int as count, (array_agg(last_error order by id desc))[1] as "lastError"
          from mails where state = 'failed' and ended_at > now() - interval '7 days'`,
      )
      return found ?? null
    } finally {
      probe.discard()
    }
  } catch {
    return null
  }
}

/** Connects to the SMTP server and signs in. Returns no finding without one. */
export const checkMail = async (
  { smtp }: Config,
  connection: ConnectionOptions | null,
): Promise<Finding[]> => {
  if (smtp === null) return []
  const { createSmtpClient } = await import('../../../platform/mail/smtp-client.ts')
  const client = createSmtpClient(smtp)
  const { host } = new URL(smtp.url)
  const problem = await client.verify().then(
    () => null,
    (error: unknown) => (error as Error).message,
  )
  client.close()
  const failed = connection === null ? null : await countFailed(connection)
  return [
    problem === null
      ? finding('E-mail', 'ok', `${host} accepts the connection; try ./zoetrope mail test <address>`)
      : finding('E-mail', 'failed', `${host} refuses the connection (${problem}). Check ZOETROPE_SMTP_URL.`),
    ...(failed === null || failed.count === 0
      ? []
      : [
          finding(
            'E-mail',
            'warning',
            `${failed.count} could not be sent in the last 7 days; the last one: ${failed.lastError ?? 'unknown'}`,
          ),
        ]),
  ]
}
