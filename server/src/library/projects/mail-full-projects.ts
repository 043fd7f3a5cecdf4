import { sql } from 'kysely'
import { mailAdministrators } from '../../platform/mail/mail-administrators.ts'
import type { Database } from '../../platform/db/database.ts'
import type { MailQueue } from '../../platform/mail/mail-queue.ts'

/** A project that uses more of its quota is reported. */
const fullShare = 0.9
const weekMs = 7 * 86_400_000

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(bytes < 1e10 ? 2 : 0)

/** E-mails the Administrators about projects that have almost used up their quota, once a week for each. */
export const mailFullProjects = async (
  database: Database,
  { mails, publicUrl }: { readonly mails: MailQueue; readonly publicUrl: string },
): Promise<void> => {
  if (!mails.isOn) return
  const rows = await database.kysely
    .selectFrom('projects')
    .select(['id', 'account_id', 'name', 'storage_bytes', 'storage_quota_bytes'])
    .where('deleted_at', 'is', null)
    .where('storage_quota_bytes', '>', 0)
    .where(sql<boolean>`storage_bytes >= storage_quota_bytes * ${fullShare}::float8`)
    .execute()
  const week = Math.floor(Date.now() / weekMs)
  for (const row of rows)
    await database.transaction((tx) =>
      mailAdministrators(tx, mails, {
        accountId: row.account_id,
        kind: 'quota-reached',
        params: {
          project: row.name,
          usedGigabytes: gigabytes(row.storage_bytes),
          quotaGigabytes: gigabytes(row.storage_quota_bytes ?? 0),
          link: `${publicUrl}/console/usage`,
        },
        once: `quota ${row.id} ${week}`,
      }),
    )
}
