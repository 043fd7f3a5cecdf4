import type { Condition } from '../playlist-queries.ts'

export type Operator = Condition['Operator']
export type FieldKind =
  | 'text'
  | 'tags'
  | 'references'
  | 'choice'
  | 'number'
  | 'instant'
  | 'project'
  | 'custom'

const textOperators = ['equals', 'notEquals', 'contains', 'notContains', 'startsWith'] as const
const emptiness = ['isEmpty', 'isNotEmpty'] as const

/** The server decides, and a test compares this table with its own. */
export const operatorsOf: Readonly<Record<FieldKind, readonly Operator[]>> = {
  text: [...textOperators, 'in', ...emptiness],
  tags: [...textOperators, 'in', ...emptiness],
  references: ['equals', 'notEquals', 'contains', 'notContains', 'in', ...emptiness],
  choice: ['equals', 'notEquals', 'in'],
  number: ['equals', 'notEquals', 'greaterThan', 'lessThan', 'in', ...emptiness],
  instant: ['before', 'after', 'withinDays'],
  project: ['equals', 'notEquals', 'in'],
  custom: [...textOperators, 'greaterThan', 'lessThan', 'in', ...emptiness],
}

export const ruleFields = {
  Title: 'text',
  Description: 'text',
  Tags: 'tags',
  Category: 'references',
  Videotype: 'references',
  Status: 'choice',
  ReleaseStatus: 'choice',
  Length: 'number',
  Size: 'number',
  CreatedAt: 'instant',
  LastUpdateAt: 'instant',
  ProjectId: 'project',
  Genre: 'text',
  Series: 'text',
  NativeLanguage: 'text',
  OriginalFileName: 'text',
} as const satisfies Record<string, FieldKind>

export type RuleField = keyof typeof ruleFields

export const choicesOf = {
  Status: ['created', 'uploaded', 'encoding', 'playable', 'finished', 'failed', 'degraded'],
  ReleaseStatus: ['draft', 'unpublished', 'published'],
} as const

const customPrefix = 'CustomMetadata.'

export const isRuleField = (name: string): name is RuleField => Object.hasOwn(ruleFields, name)

/** Name of a custom field, or null for other fields. */
export const customNameOf = (field: string): string | null =>
  field.startsWith(customPrefix) ? field.slice(customPrefix.length) : null

export const customField = (name: string): string => `${customPrefix}${name}`

export const kindOf = (field: string): FieldKind => (isRuleField(field) ? ruleFields[field] : 'custom')

export const takesValue = (operator: Operator): boolean => !emptiness.some((one) => one === operator)

/** Keeps the operator if the other field supports it. */
export const operatorFor = (field: string, before: Operator): Operator => {
  const operators = operatorsOf[kindOf(field)]
  return operators.includes(before) ? before : (operators[0] ?? before)
}

/** Whether the condition is complete enough for the API. */
export const isComplete = ({ Field, Operator, Value }: Condition): boolean => {
  if (customNameOf(Field) === '') return false
  if (!takesValue(Operator)) return true
  if (Array.isArray(Value)) return Value.length > 0
  return Value !== undefined && Value !== null && Value !== ''
}
