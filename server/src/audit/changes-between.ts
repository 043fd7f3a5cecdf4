import { isDeepStrictEqual } from 'node:util'
import type { AuditChange } from '../kernel/db/tables.ts'

/** What changes by itself, or stands beside the entry. */
const untold = new Set([
  'Id',
  'CreatedAt',
  'LastUpdateAt',
  'LastSignInAt',
  'LastUsedAt',
  'ApiKeyCount',
  'FileCount',
  'StorageBytes',
  'IsLive',
])

const maxValueLength = 2_000

/** How a field is told whose value may hold a secret; that it changed is seen before. */
export type Masks = Readonly<Record<string, (value: unknown) => unknown>>

const tell = (value: unknown, mask: ((value: unknown) => unknown) | undefined): unknown => {
  const told = mask === undefined ? value : mask(value)
  const text = JSON.stringify(told) ?? 'null'
  return text.length <= maxValueLength ? told : `${text.slice(0, maxValueLength)}…`
}

/** Field by field; null where the record was not there before, or is not there after. Pure. */
export const changesBetween = (
  before: object | null,
  after: object | null,
  masks: Masks = {},
): AuditChange[] => {
  const old = new Map(Object.entries(before ?? {}))
  const present = new Map(Object.entries(after ?? {}))
  return [...new Set([...old.keys(), ...present.keys()])]
    .filter((field) => !untold.has(field) && !isDeepStrictEqual(old.get(field), present.get(field)))
    .map((field) => ({
      Field: field,
      ...(old.has(field) ? { Before: tell(old.get(field), masks[field]) } : {}),
      ...(present.has(field) ? { After: tell(present.get(field), masks[field]) } : {}),
    }))
}
