import { sql, type RawBuilder } from 'kysely'
import { daysToMs, type Condition, type Rules } from './playlist-rules.ts'
import { customNameOf, fieldOf, type FieldKind } from './rule-fields.ts'

/**
 * All values are SQL parameters. `f` is the row of media_files, `l` that of file_list with folded titles and
 * indexed terms.
 */
type Sql<T> = RawBuilder<T>

/** Account and project whose files are selected; a null project means all of the account. */
export interface RuleScope {
  readonly accountId: number
  readonly projectId: number | null
}

const folded = (text: Sql<string | null>): Sql<string> => sql`fold_text(coalesce(${text}, ''))`

const foldedTextOf = (field: string): Sql<string> => {
  if (field === 'Title') return sql`l.title`
  return folded(field === 'OriginalFileName' ? sql`f.original_file_name` : sql`f.metadata ->> ${field}::text`)
}

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

/** Handles operators without their negative forms, which `conditionSql` negates. */
const textHolds = (text: Sql<string>, condition: Condition): Sql<boolean> => {
  const { Operator } = condition
  if (Operator === 'contains' || Operator === 'notContains')
    return sql`position(${wantedText(condition)} in ${text}) > 0`
  if (Operator === 'startsWith') return sql`starts_with(${text}, ${wantedText(condition)})`
  return isEmptyCondition(condition) ? sql`${text} = ''` : isOneOf(text, condition)
}

/**
 * Whole tags are terms of the list index, each prefixed with its project, so one search covers all projects.
 */
const tagsHold = (condition: Condition, { accountId, projectId }: RuleScope): Sql<boolean> => {
  if (isEmptyCondition(condition)) return sql`jsonb_array_length(${entriesOf('Tags')}) = 0`
  if (condition.Operator === 'startsWith')
    return sql`exists (
      select from jsonb_array_elements_text(${entriesOf('Tags')}) as entry (value)
      where starts_with(${folded(sql`entry.value`)}, ${wantedText(condition)}))`
  const tags = sql`any_term_query(s.id, '#', ${textsOf(condition)}::text[])`
  return sql`l.terms @@ (
    select string_agg('(' || ${tags}::text || ')', ' | ')::tsquery from projects s
    where s.account_id = ${accountId} and ${projectId === null ? sql`true` : sql`s.id = ${projectId}`})`
}

const referencesHold = (field: string, condition: Condition, { accountId }: RuleScope): Sql<boolean> => {
  if (isEmptyCondition(condition)) return sql`jsonb_array_length(${entriesOf(field)}) = 0`
  return sql`exists (
    select from jsonb_array_elements(${entriesOf(field)}) as entry (value)
    where (entry.value ->> 'Id')::bigint = any(${numbersOf(condition).map(String)}::bigint[])
      or ${isOneOf(folded(sql`entry.value ->> 'Label'`), condition)}
      or (entry.value ->> 'Id')::bigint in (
        select c.id from catalog_entries c
        where c.account_id = ${accountId} and c.kind = ${field.toLowerCase()} and c.custom_id <> ''
          and c.custom_id = any(${textsOf(condition)}::text[])))`
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

/** Custom fields hold any JSON, so each comparison checks the type first. */
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

const holds = (kind: FieldKind, condition: Condition, scope: RuleScope): Sql<boolean> => {
  const { Field } = condition
  switch (kind) {
    case 'text':
      return textHolds(foldedTextOf(Field), condition)
    case 'tags':
      return tagsHold(condition, scope)
    case 'references':
      return referencesHold(Field, condition, scope)
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

const conditionSql = (condition: Condition, scope: RuleScope): Sql<boolean> => {
  const field = fieldOf(condition.Field)
  if (field === null) return sql`false`
  const positive = holds(field.kind, condition, scope)
  // Null counts as false; otherwise its negation would be null too.
  return negative.has(condition.Operator) ? sql`not coalesce(${positive}, false)` : positive
}

export const rulesSql = ({ Match, Conditions }: Rules, scope: RuleScope): Sql<boolean> => {
  const conditions = Conditions.map((condition) => conditionSql(condition, scope))
  if (conditions.length === 0) return sql`true`
  return sql`(${sql.join(conditions, Match === 'all' ? sql` and ` : sql` or `)})`
}

const orderColumns: Record<Rules['OrderBy'], Sql<unknown>> = {
  created: sql`f.id`,
  updated: sql`f.updated_at`,
  title: sql`l.title`,
  length: numberOf('Length'),
  size: numberOf('Size'),
}

/** Breaks ties by id; files without a length or size come last. */
export const orderSql = ({ OrderBy, Sort }: Rules): Sql<unknown> => {
  const direction = sql.raw(Sort === 'asc' ? 'asc' : 'desc')
  return sql`${orderColumns[OrderBy]} ${direction} nulls last, f.id ${direction}`
}
