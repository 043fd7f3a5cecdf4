import { Type, type Static } from 'typebox'
import { nullable, parseInstant } from '../../../platform/http/requests/schemas.ts'
import { outgrows } from '../../../platform/base/outgrows.ts'
import { invalidField } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { fieldNames, fieldOf, operators, operatorsOf, type Operator, type RuleField } from './rule-fields.ts'

/** Maximum number of elements of a playlist; an automatic one takes the first matches. */
export const maxRuleLimit = 1_000
/** Webhooks carry the playlist record, which is limited to 64 KiB. */
const maxRulesBytes = 16_384
const maxDays = 36_500
const dayMs = 86_400_000

const literals = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description })

const textValueSchema = Type.String({ maxLength: 500 })
const numberValueSchema = Type.Number({
  minimum: -Number.MAX_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
})

const conditionSchema = Type.Object(
  {
    Field: Type.String({
      minLength: 1,
      maxLength: 120,
      description: `${fieldNames.join(', ')}, or CustomMetadata.<name>.`,
    }),
    Operator: literals(
      operators,
      'How to compare. The operators depend on the type of the field; a 400 response names them.',
    ),
    Value: Type.Optional(
      nullable(
        Type.Union([
          textValueSchema,
          numberValueSchema,
          Type.Boolean(),
          Type.Array(Type.Union([textValueSchema, numberValueSchema]), { maxItems: 100 }),
        ]),
        'Value to compare the field with. Operators such as `isEmpty` take none.',
      ),
    ),
  },
  {
    description:
      'Text is compared ignoring case and accents. For the lists `Tags`, `Category` and `Videotype`, `equals` and `contains` both test whether one entry is the value; categories and video types match by Id or Label. `withinDays` takes a number of days before now.',
  },
)

export const ruleOrders = ['created', 'updated', 'title', 'length', 'size'] as const

const matchSchema = literals(
  ['all', 'any'],
  'Whether all conditions must hold or any of them. Default `all`.',
)
const conditionsSchema = Type.Array(conditionSchema, {
  maxItems: 20,
  description: 'Conditions on the files. An empty list selects every file.',
})
const orderBySchema = literals(ruleOrders, 'Sort order of the files. Default `created`.')
const sortSchema = literals(['desc', 'asc'], 'Sort direction. Default `desc`.')
const limitSchema = Type.Integer({
  minimum: 1,
  maximum: maxRuleLimit,
  description: `Largest number of elements. Default ${maxRuleLimit}.`,
})

const rulesDescription = 'Rules that select the files of an automatic playlist, evaluated on every read.'

const rulesExample = {
  Match: 'all',
  Conditions: [
    { Field: 'Tags', Operator: 'contains', Value: 'highlights' },
    { Field: 'CreatedAt', Operator: 'withinDays', Value: 30 },
  ],
  OrderBy: 'created',
  Sort: 'desc',
  Limit: 50,
} as const

/** Absent fields stay unchanged, and null restores the default. A new playlist starts with the defaults. */
export const rulesWriteSchema = Type.Object(
  {
    Match: Type.Optional(nullable(matchSchema)),
    Conditions: Type.Optional(nullable(conditionsSchema)),
    OrderBy: Type.Optional(nullable(orderBySchema)),
    Sort: Type.Optional(nullable(sortSchema)),
    Limit: Type.Optional(nullable(limitSchema)),
  },
  { description: rulesDescription, examples: [rulesExample] },
)

export const rulesSchema = Type.Object(
  {
    Match: matchSchema,
    Conditions: conditionsSchema,
    OrderBy: orderBySchema,
    Sort: sortSchema,
    Limit: limitSchema,
  },
  { description: rulesDescription, examples: [rulesExample] },
)

export type RulesWrite = Static<typeof rulesWriteSchema>
export type Rules = Static<typeof rulesSchema>
export type Condition = Static<typeof conditionSchema>

const defaultRules: Rules = {
  Match: 'all',
  Conditions: [],
  OrderBy: 'created',
  Sort: 'desc',
  Limit: maxRuleLimit,
}

const changed = <T>(stored: T, sent: T | null | undefined, byDefault: T): T =>
  sent === undefined ? stored : (sent ?? byDefault)

/** Applies a partial write. Throws 'invalid' with the path and the expected value. */
export const applyRules = (before: Rules | null, write: RulesWrite): Rules => {
  const merged = { ...defaultRules, ...before }
  const rules: Rules = {
    Match: changed(merged.Match, write.Match, defaultRules.Match),
    Conditions: write.Conditions === null ? [] : (write.Conditions?.map(checkCondition) ?? merged.Conditions),
    OrderBy: changed(merged.OrderBy, write.OrderBy, defaultRules.OrderBy),
    Sort: changed(merged.Sort, write.Sort, defaultRules.Sort),
    Limit: changed(merged.Limit, write.Limit, defaultRules.Limit),
  }
  if (outgrows(JSON.stringify(merged), JSON.stringify(rules), maxRulesBytes))
    throw invalidField('Rules', 'rules_too_long', { max: maxRulesBytes })
  return rules
}

const checkCondition = (condition: Condition, index: number): Condition => {
  const place = `Rules.Conditions[${index}]`
  const { Field, Operator } = condition
  const field = fieldOf(Field)
  if (field === null)
    throw invalidField(`${place}.Field`, 'unknown_rule_field', {
      values: fieldNames.join(', '),
      value: JSON.stringify(Field.slice(0, 40)),
    })
  const allowed = operatorsOf[field.kind]
  if (!allowed.includes(Operator))
    throw invalidField(`${place}.Operator`, 'operator_not_for_field', {
      fieldName: Field,
      values: allowed.join(', '),
      value: Operator,
    })
  const Value = checkValue(field, Operator, condition.Value ?? null, `${place}.Value`)
  return Value === null ? { Field, Operator } : { Field, Operator, Value }
}

type Value = Exclude<Condition['Value'], undefined>

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Returns a check for the operand of a field and its name for messages. */
const operandOf = ({
  kind,
  choices = [],
}: RuleField): { isRight: (value: unknown) => boolean; name: string } => {
  if (kind === 'choice')
    return { isRight: (value) => choices.includes(value as string), name: `one of ${choices.join(', ')}` }
  if (kind === 'references')
    return { isRight: (value) => isId(value) || isText(value), name: 'an Id, a Label or a CustomId' }
  if (kind === 'project') return { isRight: isId, name: 'the Id of a project' }
  if (kind === 'number') return { isRight: (value) => typeof value === 'number', name: 'a number' }
  if (kind === 'custom')
    return {
      isRight: (value) => isText(value) || typeof value === 'number' || typeof value === 'boolean',
      name: 'a text that is not empty, a number or a boolean',
    }
  return { isRight: isText, name: 'a text that is not empty' }
}

const checkValue = (field: RuleField, operator: Operator, value: Value, place: string): Value => {
  if (operator === 'isEmpty' || operator === 'isNotEmpty') {
    if (value !== null) throw invalidField(place, 'value_not_for_operator', { operator })
    return null
  }
  if (operator === 'before' || operator === 'after') {
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value))
      throw invalidField(place, 'not_timestamp')
    return toTimestamp(parseInstant(value, place))
  }
  if (operator === 'withinDays') {
    if (typeof value !== 'number' || value <= 0 || value > maxDays)
      throw invalidField(place, 'not_days', { max: maxDays })
    return value
  }
  const operand = operandOf(field)
  if (operator === 'in') {
    if (!Array.isArray(value) || value.length === 0 || !value.every(operand.isRight))
      throw invalidField(place, 'not_list_of', { item: operand.name })
    return value
  }
  if (operator === 'greaterThan' || operator === 'lessThan') {
    if (typeof value !== 'number') throw invalidField(place, 'not_number')
    return value
  }
  const mustBeText =
    operator === 'startsWith' ||
    (field.kind === 'custom' && (operator === 'contains' || operator === 'notContains'))
  if (mustBeText ? !isText(value) : !operand.isRight(value))
    throw invalidField(place, 'not_accepted', {
      expected: mustBeText ? 'a text that is not empty' : operand.name,
    })
  return value
}

export const daysToMs = (days: number): number => days * dayMs
