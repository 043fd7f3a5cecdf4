import { auditEntryRecord } from '../audit-record.ts'
import type { AuditEntryRow } from '../audit-store.ts'

/** RFC 5424, section 6.2.1: facility 13 is the log audit. */
const facility = 13
const notice = 5
const warning = 4

/** Receivers of syslog commonly cut longer messages, which would break the JSON. */
const maxBytes = 8_192

const bytesOf = (text: string): number => Buffer.byteLength(text)

/** Renders an entry as an RFC 5424 message whose text is the record of the API as JSON. */
export const syslogMessage = (row: AuditEntryRow, host: string): string => {
  const severity = row.action === 'session.refused' ? warning : notice
  // HOSTNAME takes printable ASCII alone, at most 255 characters.
  const hostName = host.replace(/[^\x21-\x7e]/g, '').slice(0, 255) || '-'
  const head = `<${facility * 8 + severity}>1 ${row.occurred_at.toISOString()} ${hostName} zoetrope - ${row.action.slice(0, 32)} - `
  const record = { AccountId: row.account_id, ...auditEntryRecord(row) }
  const whole = head + JSON.stringify(record)
  if (bytesOf(whole) <= maxBytes) return whole
  return head + JSON.stringify({ ...record, Changes: [], AreChangesOmitted: true })
}
