import { Type, type Static } from 'typebox'
import { nullable } from '../../../platform/http/requests/schemas.ts'
import { invalidField, invalidValue, issue, type Issue } from '../../../platform/base/problem.ts'
import { isDay } from '../../../platform/base/timestamp.ts'

const builtInField = 'adsDisabled'
/** JSON bodies may not use these field names, so that no object gets another prototype. */
const forbiddenNames = ['__proto__', 'constructor']

const types = ['string', 'number', 'integer', 'boolean', 'date', 'datetime', 'list'] as const
export type MetadataFieldType = (typeof types)[number]

const maxTextLength = 10_000
const choice = Type.String({ minLength: 1, maxLength: 255 })

export const metadataFieldSchema = Type.Object(
  {
    Name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Name of the field. It must be unique; `adsDisabled` is reserved.',
    }),
    Type: Type.Unsafe<MetadataFieldType>({
      type: 'string',
      enum: [...types],
      description:
        'Type of the values. `date` is a day such as 2026-03-01, `datetime` a time with UTC offset, `list` an array of strings.',
    }),
    IsRequired: Type.Optional(
      nullable(
        Type.Boolean({
          description:
            'Whether every write of `CustomMetadata` must include the field. Uploads without `CustomMetadata` are accepted.',
        }),
      ),
    ),
    Values: Type.Optional(
      nullable(
        Type.Array(choice, {
          minItems: 1,
          maxItems: 500,
          description: 'Allowed values of a string or of the items of a list. Absent allows any.',
        }),
      ),
    ),
    Default: Type.Optional(
      nullable(
        Type.Union([
          Type.String({ maxLength: maxTextLength }),
          Type.Number(),
          Type.Boolean(),
          Type.Array(Type.String({ maxLength: maxTextLength }), { maxItems: 500 }),
        ]),
        'Value of the field in new files. Null or absent means no value.',
      ),
    ),
  },
  {
    description: 'One field of CustomMetadata.',
    examples: [{ Name: 'department', Type: 'string', Values: ['News', 'Sports'], Default: 'News' }],
  },
)

export type MetadataField = Static<typeof metadataFieldSchema>

const isText = (value: unknown): value is string => typeof value === 'string'

const isInstant = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i.test(value) &&
  isDay(value.slice(0, 10)) &&
  !Number.isNaN(Date.parse(value))

const typeRules: Record<
  MetadataFieldType,
  { readonly issue: Issue; readonly accepts: (value: unknown) => boolean }
> = {
  string: { issue: issue('not_text'), accepts: isText },
  number: { issue: issue('not_number'), accepts: Number.isFinite },
  integer: { issue: issue('not_whole_number'), accepts: Number.isSafeInteger },
  boolean: { issue: issue('not_boolean'), accepts: (value) => typeof value === 'boolean' },
  date: { issue: issue('not_day'), accepts: (value) => isText(value) && isDay(value) },
  datetime: {
    issue: issue('not_timestamp'),
    accepts: (value) => isText(value) && isInstant(value),
  },
  list: {
    issue: issue('not_list_of_texts'),
    accepts: (value) => Array.isArray(value) && value.every(isText),
  },
}

/** Returns the requirement that the value violates, or null when it is valid. */
export const fieldIssue = (field: MetadataField, value: unknown): Issue | null => {
  const { issue: typeIssue, accepts } = typeRules[field.Type]
  if (!accepts(value)) return typeIssue
  const { Values } = field
  if (Values == null) return null
  const texts = Array.isArray(value) ? value : [value]
  if (texts.every((text) => Values.includes(text as string))) return null
  const values = Values.join(', ').slice(0, 500)
  return field.Type === 'list' ? issue('not_among_values', { values }) : issue('not_one_of', { values })
}

/** Largest `CustomMetadata` of a file, as JSON. */
export const maxCustomMetadataBytes = 32 * 1024

/** Throws 'invalid' for definitions that contradict themselves or each other. */
export const checkMetadataFields = (fields: readonly MetadataField[]): void => {
  const seen = new Set<string>()
  for (const [index, field] of fields.entries()) {
    const path = `MetadataFields[${index}]`
    if (field.Name === builtInField) throw invalidField(`${path}.Name`, 'reserved_metadata_field')
    if (forbiddenNames.includes(field.Name))
      throw invalidField(`${path}.Name`, 'forbidden_metadata_field', { name: field.Name })
    if (seen.has(field.Name))
      throw invalidField(`${path}.Name`, 'repeated_metadata_field', { name: field.Name })
    seen.add(field.Name)
    if (field.Values != null && field.Type !== 'string' && field.Type !== 'list')
      throw invalidField(`${path}.Values`, 'values_not_for_type')
    const found = field.Default == null ? null : fieldIssue(field, field.Default)
    if (found !== null) throw invalidValue(`${path}.Default`, found)
  }
  // Otherwise no file could be created, although its uploader sends no metadata.
  if (
    Buffer.byteLength(JSON.stringify({ [builtInField]: false, ...defaultsOf(fields) })) >
    maxCustomMetadataBytes
  )
    throw invalidField('MetadataFields', 'metadata_defaults_too_large', { maxBytes: maxCustomMetadataBytes })
}

export const defaultsOf = (fields: readonly MetadataField[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.filter(({ Default }) => Default != null).map((field) => [field.Name, field.Default]),
  )
