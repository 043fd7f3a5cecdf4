import type { Database } from '../../../platform/db/database.ts'
import { invalidField } from '../../../platform/base/problem.ts'
import type { Sealer } from '../../../platform/base/secrets.ts'

/** Values by header name, sealed and in base64. Headers often hold a credential of the receiver. */
export type SealedHeaders = Readonly<Record<string, string>>

/** Shown instead of each value. In an update it keeps the stored value. */
export const maskedValue = '…'

export const maskHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, maskedValue]))

/** The engine reads settings twice a second, but builds thousands of requests with them. */
const opened = new WeakMap<SealedHeaders, Readonly<Record<string, string>>>()

export const openHeaders = (
  sealed: SealedHeaders,
  secrets: Sealer<'workers'>,
): Readonly<Record<string, string>> => {
  const known = opened.get(sealed)
  if (known !== undefined) return known
  const entries = Object.entries(sealed).map(([name, value]) => [
    name,
    secrets.open(Buffer.from(value, 'base64')).toString('utf8'),
  ])
  const headers = Object.fromEntries(entries) as Record<string, string>
  opened.set(sealed, headers)
  return headers
}

const sealValue = (value: string, secrets: Sealer<'workers'>): string =>
  secrets.seal(Buffer.from(value, 'utf8')).toString('base64')

/**
 * Seals the headers of a request. Unchanged values keep their sealed form, so that a record that is sent back
 * changes nothing. Throws 'invalid' for a masked value of a header that was not there before.
 */
export const sealHeaders = (
  headers: Readonly<Record<string, string>>,
  before: SealedHeaders,
  secrets: Sealer<'workers'>,
): SealedHeaders => {
  const present = openHeaders(before, secrets)
  const namesBefore = new Map(Object.keys(before).map((name) => [name.toLowerCase(), name]))
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const nameBefore = namesBefore.get(name.toLowerCase()) ?? ''
      const isKept = nameBefore !== '' && (value === maskedValue || present[nameBefore] === value)
      if (isKept) return [name, before[nameBefore] ?? '']
      if (value === maskedValue) throw invalidField(`CustomHeaders.${name}`, 'masked_header_unknown')
      return [name, sealValue(value, secrets)]
    }),
  )
}

/** Seals the plain values of earlier releases. Runs after the migrations, before any role starts. */
export const sealPlainHeaders = async ({ kysely }: Database, secrets: Sealer<'workers'>): Promise<void> => {
  const rows = await kysely.selectFrom('webhooks').select(['id', 'custom_headers']).execute()
  for (const { id, custom_headers } of rows) {
    if (Object.keys(custom_headers).length === 0) continue
    await kysely
      .updateTable('webhooks')
      .set({ sealed_headers: JSON.stringify(sealHeaders(custom_headers, {}, secrets)), custom_headers: '{}' })
      .where('id', '=', id)
      .execute()
  }
}
