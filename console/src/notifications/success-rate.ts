import { currentLanguage } from '../shell/texts.ts'

/** Rounded down, so that a single failure never shows 100 %. */
export const formatRate = (good: number, all: number): string =>
  new Intl.NumberFormat(currentLanguage(), { style: 'percent', maximumFractionDigits: 1 }).format(
    Math.floor((1_000 * good) / all) / 1_000,
  )
