import { Type } from 'typebox'
import { invalidField } from '../../platform/base/problem.ts'
import { checkText } from '../../platform/http/requests/query-values.ts'
import {
  customDimensionPrefix,
  dimensionFilters,
  type DimensionFilter,
  viewDimensions,
} from '@zoetrope/vocabulary'
import { isDimension } from '../dimensions/names.ts'
import type { MetricName } from './metrics.ts'
import type { AskedDimension, Grouping } from './sums/read-sums.ts'

const filter = (description: string, example: string) =>
  Type.Optional(Type.String({ description, minLength: 1, maxLength: 300, examples: [example] }))

export const dimensionQuery = {
  country: filter('Views from this country only (ISO 3166-1 alpha-2).', 'DE'),
  device: filter('Views on `desktop`, `phone`, `tablet`, `tv` or `unknown` only.', 'phone'),
  browser: filter('Views in this browser only.', 'Firefox'),
  os: filter('Views on this operating system only.', 'Android'),
  player: filter('Views in this player only.', 'zoetrope'),
  codec: filter('Views in this codec only, such as `h264`, `hevc` or `av1`.', 'h264'),
  rendition: filter('Views of this rendition only: its height, or `audio`.', '1080p'),
  format: filter('Views of `hls`, `dash`, `smooth`, `other` or `unknown` only.', 'hls'),
  stream: filter('Views of `live` streams or of files (`vod`) only.', 'live'),
  site: filter('Views on this site only.', 'www.example.com'),
  page: filter('Views on this page only: site and path.', 'www.example.com/articles/5'),
  data: Type.Optional(
    Type.String({
      description: 'Views with this value of a custom dimension only: its name, a colon and the value.',
      maxLength: 120,
      pattern: '^[a-z][a-z0-9-]{0,29}:.',
      examples: ['campaign:spring'],
    }),
  ),
} as const

/** Filters of single views. In their exports, `format` is the format of the export. */
const { format: _format, ...singleViewQuery } = dimensionQuery
export const viewDimensionQuery = singleViewQuery

type DimensionQuery = Readonly<Partial<Record<DimensionFilter | 'groupBy', string>>>

const recordGroupings = ['project', 'file'] as const
export const groupingNames = [
  ...recordGroupings,
  ...viewDimensions,
  `${customDimensionPrefix}<name>`,
] as const

export interface Grouped {
  readonly groupBy: Grouping
  readonly dimension: AskedDimension | null
  /** Parameter that names the dimension. */
  readonly parameter: string
}

const dimensionOf = (parameter: DimensionFilter, value: string): AskedDimension => {
  if (parameter !== 'data') return { name: parameter, value }
  const colon = value.indexOf(':')
  return { name: customDimensionPrefix + value.slice(0, colon), value: value.slice(colon + 1) }
}

const filtersIn = (query: DimensionQuery, names: readonly DimensionFilter[] = dimensionFilters) =>
  names.flatMap((parameter) => {
    const value = query[parameter]
    return value === undefined ? [] : [{ parameter, value: checkText(value, parameter) }]
  })

/** Parses the filters of single views, which can be combined. */
export const parseDimensions = (query: DimensionQuery): readonly AskedDimension[] =>
  filtersIn(
    query,
    dimensionFilters.filter((name) => name in viewDimensionQuery),
  ).map(({ parameter, value }) => dimensionOf(parameter, value))

/** Throws 'invalid' for unknown names, and for two dimensions, as no sums are kept by two. */
export const parseGrouping = (query: DimensionQuery): Grouped => {
  const { groupBy: name } = query
  const filters = filtersIn(query)
  const [first, second] = filters
  if (first !== undefined && second !== undefined)
    throw invalidField(second.parameter, 'not_combinable', { other: first.parameter })
  const ofRecords = recordGroupings.find((one) => one === name)
  if (name !== undefined && ofRecords === undefined) {
    if (!isDimension(name)) throw invalidField('groupBy', 'not_one_of', { values: groupingNames.join(', ') })
    if (first !== undefined)
      throw invalidField(first.parameter, 'not_combinable', { other: `groupBy=${name}` })
    return { groupBy: 'value', dimension: { name, value: null }, parameter: 'groupBy' }
  }
  return {
    groupBy: ofRecords ?? 'interval',
    dimension: first === undefined ? null : dimensionOf(first.parameter, first.value),
    parameter: first?.parameter ?? 'groupBy',
  }
}

/** Throws 'invalid' where no sums are kept. */
export const checkDimension = (
  metric: MetricName,
  { groupBy, dimension, parameter }: Grouped,
  hasFiles: boolean,
): void => {
  if (dimension === null) return
  if (hasFiles) throw invalidField(parameter, 'not_combinable', { other: 'fileId' })
  if (groupBy === 'file') throw invalidField(parameter, 'not_combinable', { other: 'groupBy=file' })
  // Unique viewers would need a sketch for each value, and the bytes of a request belong to no session.
  const hasSums =
    metric !== 'uniqueviewers' &&
    metric !== 'concurrentviewers' &&
    (metric !== 'bytes' || dimension.name === 'country')
  if (!hasSums) throw invalidField(parameter, 'not_combinable', { other: metric })
}
