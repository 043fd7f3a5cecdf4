import type { MediaFile } from '@zoetrope/sdk'
import { rowsOf, type ChapterRow } from './chapter-rows.ts'

type Caption = MediaFile['Captions'][number]

/** Chapters of a file that are being edited. They outlive the tab that shows them. */
export interface ChaptersDraft {
  /** As it was read; null = new ones. */
  readonly record: Caption | null
  readonly language: string
  readonly rows: readonly ChapterRow[]
  /** What is saved. */
  readonly before: readonly ChapterRow[]
}

export const newDraft = (language: string): ChaptersDraft => ({
  record: null,
  language,
  rows: [],
  before: [],
})

export const draftOf = (record: Caption, webVtt: string): ChaptersDraft => {
  const rows = rowsOf(webVtt)
  return { record, language: record.Language, rows, before: rows }
}

const meantBy = (rows: readonly ChapterRow[]): string =>
  JSON.stringify(rows.map(({ time, title }) => [time, title]))

export const isDraftDirty = (draft: ChaptersDraft | null): boolean =>
  draft !== null && meantBy(draft.rows) !== meantBy(draft.before)
