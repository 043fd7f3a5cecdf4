import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { nullable } from '../../../platform/http/requests/schemas.ts'
import { invalidField, invalidValue } from '../../../platform/base/problem.ts'
import {
  fieldIssue,
  maxCustomMetadataBytes as maxBytes,
  type MetadataField,
} from '../../projects/settings/metadata-fields.ts'

/** Custom fields of a file; `adsDisabled` is always present. */
export type CustomMetadata = Readonly<Record<string, unknown>> & { readonly adsDisabled: boolean }

const maxOwnFields = 200

export const customMetadataWriteSchema = Type.Object(
  { adsDisabled: Type.Optional(nullable(Type.Boolean(), 'Whether your player must not show ads.')) },
  {
    additionalProperties: true,
    maxProperties: maxOwnFields,
    description:
      'Your own fields, 32 KiB of JSON at most. A write merges them by name: absent fields stay, null removes a field or sets it back to its ' +
      'default, and any other value replaces the old one whole. Fields in the MetadataFields of the project must have the type declared ' +
      'there; others may hold anything.',
    examples: [{ adsDisabled: false, department: 'News' }],
  },
)

/**
 * Merges a write into the custom fields of a file. `cleared` holds the defaults of the project. Unchanged
 * values are not checked, so clients can send a record back after the fields of the project changed. Throws
 * 'invalid' with the field.
 */
export const applyCustomMetadata = (
  before: CustomMetadata,
  write: Readonly<Record<string, unknown>> | null,
  cleared: CustomMetadata,
  { fields, at }: { readonly fields: readonly MetadataField[]; readonly at: string },
): CustomMetadata => {
  if (write === null) return cleared
  if (isDeepStrictEqual(write, before)) return before
  const after = merge(before, write, cleared)
  for (const field of fields) {
    if (Object.hasOwn(after, field.Name)) {
      if (isDeepStrictEqual(after[field.Name], before[field.Name])) continue
      const issue = fieldIssue(field, after[field.Name])
      if (issue !== null) throw invalidValue(`${at}.${field.Name}`, issue)
    } else if (field.IsRequired === true) throw invalidField(`${at}.${field.Name}`, 'required_by_project')
  }
  const declared = new Set(['adsDisabled', ...fields.map(({ Name }) => Name)])
  const ownCount = Object.keys(after).filter((name) => !declared.has(name)).length
  if (ownCount > maxOwnFields) throw invalidField(at, 'too_many_own_fields', { max: maxOwnFields })
  if (Buffer.byteLength(JSON.stringify(after)) > maxBytes)
    throw invalidField(at, 'metadata_too_large', { maxBytes })
  return after
}

const merge = (
  before: CustomMetadata,
  write: Readonly<Record<string, unknown>>,
  cleared: CustomMetadata,
): CustomMetadata => {
  const after = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(write))
    if (value !== null) after.set(name, value)
    else if (Object.hasOwn(cleared, name)) after.set(name, cleared[name])
    else after.delete(name)
  return { adsDisabled: cleared.adsDisabled, ...Object.fromEntries(after) }
}
