import type { Selectable } from 'kysely'
import type { FileMetadata } from '../files/record/file-metadata.ts'
import type { PlaylistsTable } from '../../platform/db/tables/playlists.ts'
import type { Rules } from './rules/playlist-rules.ts'

export type PlaylistRow = Selectable<PlaylistsTable>

/**
 * Returns the rules in the documented field order, because jsonb does not preserve it; null for a manual
 * playlist.
 */
export const rulesOf = (row: Pick<PlaylistRow, 'rules'>): Rules | null => {
  if (row.rules === null) return null
  const { Match, Conditions, OrderBy, Sort, Limit } = row.rules as Rules
  const inOrder = Conditions.map(({ Field, Operator, Value }) =>
    Value === undefined ? { Field, Operator } : { Field, Operator, Value },
  )
  return { Match, Conditions: inOrder, OrderBy, Sort, Limit }
}

export interface ElementRow {
  readonly fileId: number
  readonly projectId: number
  readonly playoutId: string
  readonly metadata: FileMetadata
  readonly originalFileName: string
  readonly lengthSeconds: number | null
  readonly isPlayable: boolean
  readonly pictureId: string | null
  readonly pictureKey: string | null
  readonly allowedDomains: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface PlaylistTotals {
  readonly count: number
  readonly lengthSeconds: number
  readonly isPlayable: boolean
}

export const totalsOf = (elements: readonly ElementRow[]): PlaylistTotals => ({
  count: elements.length,
  lengthSeconds: elements.reduce((sum, { lengthSeconds }) => sum + (lengthSeconds ?? 0), 0),
  isPlayable: elements.some(({ isPlayable }) => isPlayable),
})
