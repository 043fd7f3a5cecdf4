/** Dimensions that every view has. */
export const generalDimensions = [
  'country',
  'device',
  'browser',
  'os',
  'player',
  'format',
  'stream',
  'site',
] as const

/** Collected only where the installation allows it. */
export const pageDimension = 'page'

export const builtInDimensions = [...generalDimensions, pageDimension] as const
export type BuiltInDimension = (typeof builtInDimensions)[number]

/** Custom dimensions of a project have this prefix in reports, queries and tables. */
export const customPrefix = 'data-'
const customName = /^data-[a-z][a-z0-9-]{0,29}$/

export const isDimension = (name: string): boolean =>
  (builtInDimensions as readonly string[]).includes(name) || customName.test(name)

/** Neither the request nor the player tells. */
export const unknownValue = 'unknown'
/** The page is one of this server, or unknown. */
export const directSite = 'direct'
/** Values that are not shown, or not kept, by themselves. */
export const otherValues = 'other'

/** Device, format and stream have few values; a site is not a fact about its viewers. */
const coarse: readonly string[] = ['device', 'format', 'stream', 'site']

/** Whether few views with one value could point to a person. */
export const isFine = (dimension: string): boolean => !coarse.includes(dimension)

export type Dimensions = Readonly<Record<string, string>>
