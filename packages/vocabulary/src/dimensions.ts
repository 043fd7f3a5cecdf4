/** Dimensions that every view has. */
export const generalDimensions = [
  'country',
  'device',
  'browser',
  'os',
  'player',
  'codec',
  'rendition',
  'format',
  'stream',
  'site',
] as const

/** Collected only where the installation allows it. */
export const pageDimension = 'page'

export const viewDimensions = [...generalDimensions, pageDimension] as const
export type ViewDimension = (typeof viewDimensions)[number]

/** Custom dimensions of a project have this prefix in reports, groupings and tables. */
export const customDimensionPrefix = 'data-'

/** Query parameters that filter by a dimension. `data` has the name and the value of a custom one. */
export const dimensionFilters = [...viewDimensions, 'data'] as const
export type DimensionFilter = (typeof dimensionFilters)[number]
