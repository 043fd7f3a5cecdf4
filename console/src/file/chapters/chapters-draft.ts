import type { MediaFile } from '@zoetrope/sdk'
import { rowsOf, type ChapterRow } from './chapter-rows.ts'

type Caption = MediaFile['Captions'][number]

/** Chapters that are being edited. The draft outlives the tab that shows it. */
export interface ChaptersDraft {
  /** Record as loaded. Null = new chapters. */
  readonly record: Caption | null
  readonly language: string
  readonly rows: readonly ChapterRow[]
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
