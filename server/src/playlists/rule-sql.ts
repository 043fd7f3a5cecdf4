import { sql, type RawBuilder } from 'kysely'
import { daysToMs, type Condition, type Rules } from './playlist-rules.ts'
import { customNameOf, fieldOf, type FieldKind } from './rule-fields.ts'

/** All values are parameters; `f` is the row of media_files. */
type Sql<T> = RawBuilder<T>

const folded = (text: Sql<string | null>): Sql<string> => sql`fold_text(coalesce(${text}, ''))`

const textOf = (field: string): Sql<string | null> =>
  field === 'OriginalFileName' ? sql`f.original_file_name` : sql`f.metadata ->> ${field}::text`

const numberOf = (field: string): Sql<number | null> =>
  sql`(f.properties ->> ${field}::text)::double precision`

const instantOf = (field: string): Sql<Date> =>
  field === 'CreatedAt' ? sql`f.created_at` : sql`f.updated_at`

const entriesOf = (field: string): Sql<unknown> =>
  sql`case when jsonb_typeof(f.metadata -> ${field}::text) = 'array' then f.metadata -> ${field}::text else '[]'::jsonb end`

const valuesOf = ({ Value }: Condition): (string | number)[] =>
  (Array.isArray(Value) ? Value : [Value]) as (string | number)[]

const textsOf = (condition: Condition): string[] =>
  valuesOf(condition).filter((value) => typeof value === 'string')

const wantedText = (condition: Condition): Sql<string> => sql`fold_text(${textsOf(condition)[0] ?? ''}::text)`

const isOneOf = (text: Sql<string>, condition: Condition): Sql<boolean> => {
  const wanted = textsOf(condition).map((one) => sql`fold_text(${one}::text)`)
  return wanted.length === 0 ? sql`false` : sql`${text} in (${sql.join(wanted)})`
}

const numbersOf = (condition: Condition): number[] =>
  valuesOf(condition).filter((value) => typeof value === 'number')

const jsonOf = (condition: Condition): Sql<unknown> => sql`${JSON.stringify(condition.Value)}::jsonb`

const isEmptyCondition = ({ Operator }: Condition): boolean =>
  Operator === 'isEmpty' || Operator === 'isNotEmpty'

/** The operators without their negative forms, which are the opposite of what is here. */
const textHolds = (text: Sql<string>, condition: Condition): Sql<boolean> => {
  const { Operator } = condition
  if (Operator === 'contains' || Operator === 'notContains')
    return sql`position(${wantedText(condition)} in ${text}) > 0`
  if (Operator === 'startsWith') return sql`starts_with(${text}, ${wantedText(condition)})`
  return isEmptyCondition(condition) ? sql`${text} = ''` : isOneOf(text, condition)
}

const listHolds = (field: string, condition: Condition): Sql<boolean> => {
  if (isEmptyCondition(condition)) return sql`jsonb_array_length(${entriesOf(field)}) = 0`
  const entry = folded(sql`entry.value`)
  const holds =
    condition.Operator === 'startsWith'
      ? sql<boolean>`starts_with(${entry}, ${wantedText(condition)})`
      : isOneOf(entry, condition)
  return sql`exists (select from jsonb_array_elements_text(${entriesOf(field)}) as entry (value) where ${holds})`
}

const referencesHold = (field: string, condition: Condition): Sql<boolean> => {
  if (isEmptyCondition(condition)) return sql`jsonb_array_length(${entriesOf(field)}) = 0`
  return sql`exists (
    select from jsonb_array_elements(${entriesOf(field)}) as entry (value)
    where (entry.value ->> 'Id')::bigint = any(${numbersOf(condition).map(String)}::bigint[])
      or ${isOneOf(folded(sql`entry.value ->> 'Label'`), condition)})`
}

const numberHolds = (number: Sql<number | null>, condition: Condition): Sql<boolean> => {
  const { Operator, Value } = condition
  if (Operator === 'greaterThan') return sql`${number} > ${Value}::double precision`
  if (Operator === 'lessThan') return sql`${number} < ${Value}::double precision`
  if (isEmptyCondition(condition)) return sql`${number} is null`
  return sql`${number} = any(${numbersOf(condition).map(String)}::double precision[])`
}

const instantHolds = (instant: Sql<Date>, condition: Condition): Sql<boolean> => {
  if (condition.Operator === 'withinDays')
    return sql`${instant} >= ${new Date(Date.now() - daysToMs(condition.Value as number))}`
  const limit = new Date(condition.Value as string)
  return condition.Operator === 'before' ? sql`${instant} < ${limit}` : sql`${instant} > ${limit}`
}

/** Custom fields hold any JSON: each comparison asks for the type that it is made for. */
const customHolds = (name: string, condition: Condition): Sql<boolean> => {
  const value = sql`(f.metadata -> 'CustomMetadata' -> ${name}::text)`
  const text = sql<string>`case when jsonb_typeof(${value}) = 'string' then ${folded(sql`${value} #>> '{}'`)} end`
  const number = sql<number>`case when jsonb_typeof(${value}) = 'number' then (${value} #>> '{}')::double precision end`
  const { Operator, Value } = condition
  if (isEmptyCondition(condition)) return sql`coalesce(${value}, 'null') in ('null', '""', '[]', '{}')`
  if (Operator === 'greaterThan' || Operator === 'lessThan') return numberHolds(number, condition)
  if (Operator === 'in')
    return sql`(coalesce(${textHolds(text, condition)}, false) or coalesce(${numberHolds(number, condition)}, false))`
  return typeof Value === 'string' ? textHolds(text, condition) : sql`${value} = ${jsonOf(condition)}`
}

const holds = (kind: FieldKind, condition: Condition): Sql<boolean> => {
  const { Field } = condition
  switch (kind) {
    case 'text':
      return textHolds(folded(textOf(Field)), condition)
    case 'list':
      return listHolds(Field, condition)
    case 'references':
      return referencesHold(Field, condition)
    case 'choice':
      return Field === 'Status'
        ? sql`f.state = any(${valuesOf(condition)}::text[])`
        : sql`f.metadata ->> 'ReleaseStatus' = any(${valuesOf(condition)}::text[])`
    case 'number':
      return numberHolds(numberOf(Field), condition)
    case 'instant':
      return instantHolds(instantOf(Field), condition)
    case 'project':
      return sql`f.project_id = any(${valuesOf(condition).map(String)}::bigint[])`
    case 'custom':
      return customHolds(customNameOf(Field) ?? '', condition)
  }
}

const negative = new Set(['notEquals', 'notContains', 'isNotEmpty'])

const conditionSql = (condition: Condition): Sql<boolean> => {
  const field = fieldOf(condition.Field)
  if (field === null) return sql`false`
  // What is unknown does not hold: null would make its opposite unknown too.
  const known = sql<boolean>`coalesce(${holds(field.kind, condition)}, false)`
  return negative.has(condition.Operator) ? sql`not ${known}` : known
}

/** Which files the rules ask for. */
export const rulesSql = ({ Match, Conditions }: Rules): Sql<boolean> =>
  Conditions.length === 0
    ? sql`true`
    : sql`(${sql.join(Conditions.map(conditionSql), Match === 'all' ? sql` and ` : sql` or `)})`

const orderColumns: Record<Rules['OrderBy'], Sql<unknown>> = {
  created: sql`f.id`,
  updated: sql`f.updated_at`,
  title: sql`${folded(sql`f.metadata ->> 'Title'`)} collate "C"`,
  length: numberOf('Length'),
  size: numberOf('Size'),
}

/** Ties by id; what has no length or size yet comes last. */
export const orderSql = ({ OrderBy, Sort }: Rules): Sql<unknown> => {
  const direction = sql.raw(Sort === 'asc' ? 'asc' : 'desc')
  return sql`${orderColumns[OrderBy]} ${direction} nulls last, f.id ${direction}`
}
