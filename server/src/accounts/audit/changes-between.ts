import { isDeepStrictEqual } from 'node:util'
import type { AuditChange } from '../../platform/db/tables/audit.ts'

/** Fields that change by themselves or that the entry contains anyway. */
const omittedFields = new Set([
  'Id',
  'CreatedAt',
  'LastUpdateAt',
  'LastSignInAt',
  'LastUsedAt',
  'LastUsedAddress',
  'ApiKeyCount',
  'FileCount',
  'StorageBytes',
  'IsLive',
])

const maxValueLength = 2_000
/** Role assignments must not be truncated: 500 roles in projects fit. */
const maxListLength = 50_000

/** Replaces the value of a field that may contain a secret. The comparison before uses the real values. */
export type Masks = Readonly<Record<string, (value: unknown) => unknown>>

const auditValue = (value: unknown, mask: ((value: unknown) => unknown) | undefined): unknown => {
  const shown = mask === undefined ? value : mask(value)
  const text = JSON.stringify(shown) ?? 'null'
  const maxLength = Array.isArray(shown) ? maxListLength : maxValueLength
  // PostgreSQL rejects text with a lone surrogate.
  return text.length <= maxLength ? shown : `${text.slice(0, maxLength).toWellFormed()}…`
}

const without = (list: readonly unknown[], other: readonly unknown[]): unknown[] => {
  const texts = new Set(other.map((one) => JSON.stringify(one)))
  return list.filter((one) => !texts.has(JSON.stringify(one)))
}

/**
 * Returns the elements added and removed. Null when either value is no list, when the result is too long, or
 * when only the order changed.
 */
const listChange = (before: unknown, after: unknown): Pick<AuditChange, 'Added' | 'Removed'> | null => {
  if (!Array.isArray(before) || !Array.isArray(after)) return null
  const [added, removed] = [without(after, before), without(before, after)]
  if (added.length + removed.length === 0) return null
  const change = {
    ...(added.length === 0 ? {} : { Added: added }),
    ...(removed.length === 0 ? {} : { Removed: removed }),
  }
  return JSON.stringify(change).length > maxListLength ? null : change
}

/**
 * Compares two versions field by field; `before` is null for a new record, `after` for a deleted one. Pure.
 */
export const changesBetween = (
  before: object | null,
  after: object | null,
  masks: Masks = {},
): AuditChange[] => {
  const old = new Map(Object.entries(before ?? {}))
  const present = new Map(Object.entries(after ?? {}))
  return [...new Set([...old.keys(), ...present.keys()])]
    .filter((field) => !omittedFields.has(field) && !isDeepStrictEqual(old.get(field), present.get(field)))
    .map((field) => ({
      Field: field,
      ...((masks[field] === undefined ? listChange(old.get(field), present.get(field)) : null) ?? {
        ...(old.has(field) ? { Before: auditValue(old.get(field), masks[field]) } : {}),
        ...(present.has(field) ? { After: auditValue(present.get(field), masks[field]) } : {}),
      }),
    }))
}
