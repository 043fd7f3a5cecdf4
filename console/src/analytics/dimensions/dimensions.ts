import {
  customDimensionPrefix,
  dimensionFilters,
  type DimensionFilter,
  type ViewDimension,
} from '@zoetrope/vocabulary'
import { useTexts } from '../../shell/texts.ts'
import { codecName } from '../../ui/codec-name.ts'
import { perLanguage } from '../../ui/format.ts'

/** Dimensions with a list. The name is also the parameter of the URL and of the API. */
export const listedDimensions = [
  'country',
  'device',
  'browser',
  'os',
  'player',
  'site',
  'rendition',
  'codec',
] as const satisfies readonly ViewDimension[]

export type CustomDimension = `${typeof customDimensionPrefix}${string}`
export const customDimension = (name: string): CustomDimension => `${customDimensionPrefix}${name}`
export const customName = (dimension: CustomDimension): string =>
  dimension.slice(customDimensionPrefix.length)

export type Dimension = ViewDimension | CustomDimension

export const isCustom = (dimension: string): dimension is CustomDimension =>
  dimension.startsWith(customDimensionPrefix)

/** Returns the filter by a dimension. There is at most one, because the API has no sums by two. */
export const filterIn = (
  values: Readonly<Partial<Record<DimensionFilter, string>>>,
): { readonly name: DimensionFilter; readonly value: string } | null => {
  for (const name of dimensionFilters) {
    const value = values[name]
    if (value !== undefined) return { name, value }
  }
  return null
}

const noFilters: Readonly<Partial<Record<DimensionFilter, undefined>>> = Object.fromEntries(
  dimensionFilters.map((name) => [name, undefined]),
)

/** Change of the URL that filters by one value, or by none. */
export const filterBy = (
  dimension?: Dimension,
  value?: string,
): Readonly<Record<string, string | undefined>> => {
  if (dimension === undefined) return noFilters
  return isCustom(dimension)
    ? { ...noFilters, data: `${customName(dimension)}:${value}` }
    : { ...noFilters, [dimension]: value }
}

const countries = perLanguage((language) => new Intl.DisplayNames(language, { type: 'region' }))

const devices = ['desktop', 'phone', 'tablet', 'tv'] as const

/** Names of values in the language of the user. */
export const useValueNames = (): ((dimension: Dimension, value: string) => string) => {
  const t = useTexts('analytics.values')
  return (dimension, value) => {
    if (value === 'unknown') return t('unknown')
    if (value === 'other') return t('other')
    if (dimension === 'country') return /^[A-Z]{2}$/.test(value) ? (countries().of(value) ?? value) : value
    if (dimension === 'site' && value === 'direct') return t('direct')
    if (dimension === 'player' && value === 'zoetrope') return 'Zoetrope'
    if (dimension === 'codec') return codecName(value)
    const device = dimension === 'device' ? devices.find((name) => name === value) : undefined
    return device === undefined ? value : t(device)
  }
}

/** Names of a dimension and of its list; custom dimensions have the name that the project gives them. */
export const useDimensionNames = (): ((dimension: Dimension) => {
  readonly one: string
  readonly all: string
}) => {
  const one = useTexts('analytics.dimension')
  const all = useTexts('analytics.dimensions')
  return (dimension) =>
    isCustom(dimension)
      ? { one: customName(dimension), all: customName(dimension) }
      : { one: one(dimension), all: all(dimension) }
}
