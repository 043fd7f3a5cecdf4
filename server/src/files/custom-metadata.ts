import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { nullable } from '../http/schemas.ts'
import { invalidField } from '../kernel/problem.ts'
import { fieldIssue, type MetadataField } from '../projects/metadata-fields.ts'

/** A file's own fields; adsDisabled is always among them. */
export type CustomMetadata = Readonly<Record<string, unknown>> & { readonly adsDisabled: boolean }

const maxBytes = 32 * 1024

export const customMetadataWriteSchema = Type.Object(
  { adsDisabled: Type.Optional(nullable(Type.Boolean())) },
  {
    additionalProperties: true,
    maxProperties: 200,
    description:
      'Your own fields; replaced as a whole, 32 KiB of JSON at most. Those in the MetadataFields of the project must have the type that ' +
      'stands there; others may hold anything.',
    examples: [{ adsDisabled: false, department: 'News' }],
  },
)

/**
 * What a write makes of the custom fields. `cleared` holds the project's defaults. What the file has already is taken as it is, so that a
 * record that was read can be sent back although the project's fields have changed since. Throws 'invalid' with the field.
 */
export const applyCustomMetadata = (
  before: CustomMetadata,
  write: Readonly<Record<string, unknown>> | null,
  cleared: CustomMetadata,
  { fields, at }: { readonly fields: readonly MetadataField[]; readonly at: string },
): CustomMetadata => {
  if (write === null) return cleared
  if (isDeepStrictEqual(write, before)) return before
  const typed = new Set(['adsDisabled', ...fields.map(({ Name }) => Name)])
  // Null is no value of any type: it stands for the default.
  const written = Object.fromEntries(
    Object.entries(write).filter(([name, value]) => value !== null || !typed.has(name)),
  )
  const after: CustomMetadata = { ...cleared, ...written }
  for (const field of fields) {
    if (Object.hasOwn(after, field.Name)) {
      const issue = fieldIssue(field, after[field.Name])
      if (issue !== null) throw invalidField(`${at}.${field.Name}`, issue)
    } else if (field.IsRequired === true)
      throw invalidField(`${at}.${field.Name}`, 'is required by the MetadataFields of the project.')
  }
  if (Buffer.byteLength(JSON.stringify(after)) > maxBytes)
    throw invalidField(at, `must not be larger than ${maxBytes} bytes of JSON.`)
  return after
}
