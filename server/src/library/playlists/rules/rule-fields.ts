import type { MediaFileState } from '../../../platform/db/tables/files.ts'
import type { ReleaseStatus } from '../../../platform/db/tables/projects.ts'

/** Type of a field's value; it determines the operators, the accepted values and the SQL. */
export type FieldKind =
  | 'text'
  | 'tags'
  | 'references'
  | 'choice'
  | 'number'
  | 'instant'
  | 'project'
  | 'custom'

export const operators = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'greaterThan',
  'lessThan',
  'in',
  'isEmpty',
  'isNotEmpty',
  'before',
  'after',
  'withinDays',
] as const

export type Operator = (typeof operators)[number]

export const operatorsOf: Record<FieldKind, readonly Operator[]> = {
  text: ['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'in', 'isEmpty', 'isNotEmpty'],
  tags: ['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'in', 'isEmpty', 'isNotEmpty'],
  references: ['equals', 'notEquals', 'contains', 'notContains', 'in', 'isEmpty', 'isNotEmpty'],
  choice: ['equals', 'notEquals', 'in'],
  number: ['equals', 'notEquals', 'greaterThan', 'lessThan', 'in', 'isEmpty', 'isNotEmpty'],
  instant: ['before', 'after', 'withinDays'],
  project: ['equals', 'notEquals', 'in'],
  custom: [
    ...['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'greaterThan', 'lessThan'],
    ...['in', 'isEmpty', 'isNotEmpty'],
  ] as Operator[],
}

const states: readonly MediaFileState[] = [
  ...(['created', 'uploaded', 'encoding', 'playable', 'finished', 'failed', 'degraded'] as const),
]
const releaseStatuses: readonly ReleaseStatus[] = ['draft', 'unpublished', 'published']

export interface RuleField {
  readonly kind: FieldKind
  readonly choices?: readonly string[]
}

const fields: Record<string, RuleField> = {
  Title: { kind: 'text' },
  Description: { kind: 'text' },
  Tags: { kind: 'tags' },
  Category: { kind: 'references' },
  Videotype: { kind: 'references' },
  Status: { kind: 'choice', choices: states },
  ReleaseStatus: { kind: 'choice', choices: releaseStatuses },
  Length: { kind: 'number' },
  Size: { kind: 'number' },
  CreatedAt: { kind: 'instant' },
  LastUpdateAt: { kind: 'instant' },
  ProjectId: { kind: 'project' },
  Genre: { kind: 'text' },
  Series: { kind: 'text' },
  NativeLanguage: { kind: 'text' },
  OriginalFileName: { kind: 'text' },
}

export const fieldNames = Object.keys(fields)

const customPrefix = 'CustomMetadata.'

/** Returns the name of the custom field, or null for other fields. */
export const customNameOf = (field: string): string | null =>
  field.startsWith(customPrefix) && field.length > customPrefix.length
    ? field.slice(customPrefix.length)
    : null

export const fieldOf = (name: string): RuleField | null =>
  customNameOf(name) === null
    ? Object.hasOwn(fields, name)
      ? (fields[name] ?? null)
      : null
    : { kind: 'custom' }
