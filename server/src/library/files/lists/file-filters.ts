import { Type, type Static, type TObject, type TOptional, type TString } from 'typebox'
import { booleanText, idListText, instantText } from '../../../platform/http/openapi/openapi-query.ts'
import { familyOfParameters, memberOf } from '../../../platform/http/requests/query-families.ts'
import {
  checkText,
  parseBoolean,
  parseIdList,
  parseInstantParameter,
  parseOneOfList,
  parseTextList,
} from '../../../platform/http/requests/query-values.ts'
import { invalidField } from '../../../platform/base/problem.ts'
import { releaseStatusSchema } from '../../projects/project-record.ts'
import { fileStates, statesWith } from '../record/parts/file-state.ts'

export type Bind = (value: unknown) => string

/**
 * Writes one condition on `file_list`. `bind` takes a value and returns its placeholder; `project` is the SQL
 * expression of the project id.
 */
export type Condition = (bind: Bind, project: string) => string

export interface FileFilter {
  readonly includeDeleted: boolean
  readonly conditions: readonly Condition[]
  /** Search conditions, as SQL expressions of type tsquery. */
  readonly termQueries: readonly Condition[]
  /** Cache key: equal filters have equal keys. */
  readonly key: string
}

type ParseCondition = (text: string, name: string) => Condition

/** The schema of a parameter, with its condition on the columns or on the search terms. */
type FilterParameter = { readonly schema: TString } & (
  | { readonly condition: ParseCondition; readonly termQuery?: undefined }
  | { readonly termQuery: ParseCondition; readonly condition?: undefined }
)

const releaseStatuses = releaseStatusSchema.anyOf.map((literal) => literal.const)

const text = (description: string, maxLength: number, example: string): TString =>
  Type.String({ description, maxLength, examples: [example] })

const maxListLength = 10_000
const maxExactTexts = 500

const list = (description: string, example: string): TString =>
  text(`${description} Comma-separated list.`, maxListLength, example)

const ids = (description: string, example: number): TString =>
  idListText(`${description} Comma-separated list.`, { example })

const anyOf =
  (column: string, type: 'text' | 'bigint', values: readonly (string | number)[]): Condition =>
  (bind) =>
    `${column} = any(${bind(values)}::${type}[])`

const flag = (description: string, flagName: 'isFinished' | 'isEncoded' | 'hasErrors'): FilterParameter => ({
  schema: booleanText(description),
  condition: (value, name) => anyOf('state', 'text', statesWith(flagName, parseBoolean(value, name))),
})

/**
 * Records show milliseconds but columns store microseconds, so an upper bound includes its whole last
 * millisecond.
 */
const time = (column: 'created_at' | 'updated_at', bound: 'from' | 'to'): FilterParameter => ({
  schema: instantText(bound === 'from' ? 'At or after this time.' : 'At or before this time.'),
  condition: (value, name) => {
    const instant = parseInstantParameter(value, name)
    if (bound === 'from') return (bind) => `${column} >= ${bind(instant)}::timestamptz`
    return (bind) => `${column} < ${bind(new Date(instant.getTime() + 1))}::timestamptz`
  },
})

const anyTerm =
  (kind: string, names: readonly (string | number)[]): Condition =>
  (bind, project) =>
    `any_term_query(${project}, '${kind}', ${bind(names.map(String))}::text[])`

const parameters = {
  search: {
    schema: text(
      'Search words, ignoring case and accents. For each of them, title, description, tags or original file name must contain a word that starts with it.',
      500,
      'interview weath',
    ),
    termQuery: (value, name) => {
      const words = checkText(value, name)
      return (bind, project) => `words_query(${project}, ${bind(words)}::text)`
    },
  },
  status: {
    schema: list(`Files in any of these states: ${fileStates.join(', ')}.`, 'finished,degraded'),
    condition: (value, name) => anyOf('state', 'text', parseOneOfList(value, name, fileStates)),
  },
  releaseStatus: {
    schema: list(`Files with any of these release statuses: ${releaseStatuses.join(', ')}.`, 'published'),
    condition: (value, name) => anyOf('release_status', 'text', parseOneOfList(value, name, releaseStatuses)),
  },
  isFinished: flag('Whether processing has ended, with or without errors.', 'isFinished'),
  isEncoded: flag('Whether at least one rendition can be played.', 'isEncoded'),
  hasErrors: flag('Whether processing failed, wholly or in part.', 'hasErrors'),
  useEncoding: {
    schema: booleanText('Whether the file is transcoded.'),
    condition: (value, name) => {
      const wanted = parseBoolean(value, name)
      return () => (wanted ? 'use_encoding' : 'not use_encoding')
    },
  },
  categoryId: {
    schema: ids('Files in any of these categories, by Id.', 3),
    termQuery: (value, name) => anyTerm('/category/', parseIdList(value, name)),
  },
  videotypeId: {
    schema: ids('Files with any of these video types, by Id.', 2),
    termQuery: (value, name) => anyTerm('/videotype/', parseIdList(value, name)),
  },
  tag: {
    schema: list('Files with any of these tags, ignoring case and accents.', 'news'),
    termQuery: (value, name) => anyTerm('#', parseTextList(value, name)),
  },
  ids: {
    schema: ids('Files with any of these Ids.', 17),
    condition: (value, name) => anyOf('file_id', 'bigint', parseIdList(value, name)),
  },
  createdFrom: time('created_at', 'from'),
  createdTo: time('created_at', 'to'),
  updatedFrom: time('updated_at', 'from'),
  updatedTo: time('updated_at', 'to'),
  externalId: {
    schema: list('Files with any of these `ExternalId`s, matched exactly.', 'cms-4711'),
    condition: (value, name) => anyOf('external_id', 'text', parseTextList(value, name)),
  },
  programId: {
    schema: list('Files with any of these `ProgramId`s, matched exactly.', 'tatort-1182'),
    termQuery: (value, name) => {
      const wanted = parseExactTexts(value, name)
      return (bind, project) =>
        `any_term_query(${project}, '/program/', array(select md5(one) from unnest(${bind(wanted)}::text[]) as one))`
    },
  },
  isEnabled: {
    schema: booleanText('With `includeDeleted=true`, false returns only deleted files.'),
    condition: (value, name) => {
      const wanted = parseBoolean(value, name)
      return () => (wanted ? 'not is_deleted' : 'is_deleted')
    },
  },
} satisfies Record<string, FilterParameter>

const customField = 'customMetadata'

export const filterQuery = {
  ...(Object.fromEntries(
    Object.entries(parameters).map(([name, { schema }]) => [name, Type.Optional(schema)]),
  ) as Record<keyof typeof parameters, TOptional<TString>>),
  includeDeleted: Type.Optional(
    booleanText(
      'Whether to include deleted files (`IsEnabled` false) that are not purged yet. Default false.',
    ),
  ),
  ...familyOfParameters(
    customField,
    'Files with a value in `CustomMetadata`: customMetadata.<key>=<value>, one parameter for each field. Key and value are matched exactly, against texts, numbers, booleans and items of lists. A comma-separated list matches any of its values.',
    { department: 'News' },
  ),
}

type FileFilterQuery = Static<TObject<typeof filterQuery>>

/** Splits a value at commas. A value that contains commas itself is matched as a whole, too. */
const parseExactTexts = (value: string, name: string): string[] => {
  checkText(value, name)
  const items = value.split(',').filter((item) => item !== '')
  if (items.length === 0) throw invalidField(name, 'empty_text_list')
  if (items.length > maxExactTexts) throw invalidField(name, 'too_many_values', { max: maxExactTexts })
  return [...new Set([...items, value])]
}

const customTerms =
  (key: string, values: readonly string[]): Condition =>
  (bind, project) =>
    `any_term_query(${project}, '/custom/', array(
      select custom_field_hash(${bind(key)}::text, one) from unnest(${bind(values)}::text[]) as one))`

interface ParsedParameter {
  readonly condition?: Condition | undefined
  readonly termQuery?: Condition | undefined
}

const byName: Readonly<Record<string, FilterParameter>> = parameters

/** Returns null for parameters that are not in the table, such as those of paging. */
const parseParameter = (name: string, value: string): ParsedParameter | null => {
  const parameter = Object.hasOwn(byName, name) ? byName[name] : undefined
  if (parameter === undefined) return null
  return { condition: parameter.condition?.(value, name), termQuery: parameter.termQuery?.(value, name) }
}

const customParameter = (key: string, value: unknown, name: string): ParsedParameter => {
  // Fastify parses a repeated parameter as a list.
  if (typeof value !== 'string' || value.length > maxListLength)
    throw invalidField(name, 'not_text_up_to', { max: maxListLength })
  const values = parseExactTexts(value, name)
  const terms = customTerms(checkText(key, name), values)
  // `adsDisabled: false` has no term, because nearly every file has it.
  if (key !== 'adsDisabled' || !values.includes('false')) return { termQuery: terms }
  return values.includes('true')
    ? {}
    : {
        condition: (bind, project) => `not terms @@ ${customTerms(key, ['true'])(bind, project)}`,
      }
}

export const noFilter: FileFilter = { includeDeleted: false, conditions: [], termQueries: [], key: '' }

/** Parses the filters of a query. Throws 'invalid' with the name of the parameter. */
export const parseFileFilter = (query: FileFilterQuery): FileFilter => {
  const conditions: Condition[] = []
  const termQueries: Condition[] = []
  const key: string[] = []
  for (const [name, value] of Object.entries(query)) {
    const field = memberOf(customField, name)
    if (name === 'search' && value.trim() === '') continue
    const found = field === null ? parseParameter(name, value) : customParameter(field, value, name)
    if (found === null) continue
    if (found.condition !== undefined) conditions.push(found.condition)
    if (found.termQuery !== undefined) termQueries.push(found.termQuery)
    key.push(name, value)
  }
  const includeDeleted =
    query.includeDeleted !== undefined && parseBoolean(query.includeDeleted, 'includeDeleted')
  if (key.length === 0 && !includeDeleted) return noFilter
  return { includeDeleted, conditions, termQueries, key: JSON.stringify([includeDeleted, ...key]) }
}
