import { customDimensionPrefix, viewDimensions } from '@zoetrope/vocabulary'

const customName = new RegExp(`^${customDimensionPrefix}[a-z][a-z0-9-]{0,29}$`)

export const isDimension = (name: string): boolean =>
  (viewDimensions as readonly string[]).includes(name) || customName.test(name)

/** Neither the request nor the player names a value. */
export const unknownValue = 'unknown'
/** The page is one of this server, or unknown. */
export const directSite = 'direct'
/** Values that are not shown, or not kept, by themselves. */
export const otherValues = 'other'

/** These have few values, except `site`, which is not a fact about its viewers. */
const coarse: readonly string[] = ['device', 'codec', 'rendition', 'format', 'stream', 'site']

/** Whether few views with one value could point to a person. */
export const isFine = (dimension: string): boolean => !coarse.includes(dimension)

export type Dimensions = Readonly<Record<string, string>>
