import { customDimensionPrefix, pageDimension } from '@zoetrope/vocabulary'
import { type Dimensions } from '../dimensions/names.ts'
import type { CmcdKeys } from './scan-cmcd.ts'

const longestValue = 64
const longestPage = 300

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const clean = (text: string, longest: number): string =>
  text.slice(0, longest).replaceAll(/\p{C}/gu, '').trim()

/**
 * What the address of a report says: `player`, `page`, and the custom dimensions of the project. Every player can add a query to that
 * address, while few can send keys of their own.
 */
export const declaredIn = (url: string, customNames: readonly string[]): Dimensions => {
  const start = url.indexOf('?')
  if (start < 0) return {}
  const query = new URLSearchParams(url.slice(start + 1))
  const names = ['player', pageDimension, ...customNames.map((name) => customDimensionPrefix + name)]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = clean(query.get(name) ?? '', name === pageDimension ? longestPage : longestValue)
      return value === '' ? [] : [[name, value]]
    }),
  )
}

const formats: Readonly<Record<string, string>> = { h: 'hls', d: 'dash', s: 'smooth', o: 'other' }

/** Streaming format, where the player sends the key. */
export const formatIn = ({ sf }: CmcdKeys): string | null =>
  typeof sf === 'string' ? (formats[sf] ?? null) : null
