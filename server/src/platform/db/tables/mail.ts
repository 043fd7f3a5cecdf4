import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt } from './columns.ts'

interface MailsTable {
  id: GeneratedAlways<number>
  account_id: number
  message_id: Generated<string>
  recipient: string
  language: 'en' | 'de'
  kind: string
  sealed_params: Buffer | null
  state: Generated<'waiting' | 'sent' | 'failed'>
  once_key: string | null
  attempts: Generated<number>
  last_error: string | null
  created_at: CreatedAt
  expires_at: Date | null
  ended_at: Date | null
}

export interface MailTables {
  mails: MailsTable
}
