import type { ReloadRequest } from '@zoetrope/ll-hls'
import { invalidField, Problem } from '../../../platform/base/problem.ts'

export interface ReloadQuery {
  /** Null requests the current playlist. */
  readonly reload: ReloadRequest | null
  readonly isDelta: boolean
}

const plain: ReloadQuery = { reload: null, isDelta: false }

const directives = /(?:^|&)_HLS_(msn|part|skip)=([^&]*)/g

/** RFC 8216bis 6.2.5: unknown directives and other query parameters are ignored. */
export const parseReloadQuery = (query: string): ReloadQuery => {
  if (!query.includes('_HLS_')) return plain
  const values: Partial<Record<'msn' | 'part' | 'skip', string>> = {}
  for (const [, name, value] of query.matchAll(directives)) values[name as 'msn'] ??= value ?? ''
  const number = wholeNumber('_HLS_msn', values.msn)
  const part = wholeNumber('_HLS_part', values.part)
  if (number === undefined && part !== undefined) throw new Problem('reload_part_without_segment')
  const isDelta = values.skip === 'YES' || values.skip === 'v2'
  if (number === undefined) return { reload: null, isDelta }
  return { reload: { number, ...(part !== undefined && { part }) }, isDelta }
}

const wholeNumber = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (!/^[0-9]{1,15}$/.test(text))
    throw invalidField(name, 'invalid_value', { expected: 'a whole number', value: text.slice(0, 40) })
  return Number(text)
}
