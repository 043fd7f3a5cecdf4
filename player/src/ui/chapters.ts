export interface Chapter {
  readonly startSeconds: number
  readonly title: string
}

/** The chapter that a moment belongs to; null before the first one. */
export const chapterAt = (chapters: readonly Chapter[], seconds: number): Chapter | null =>
  chapters.findLast(({ startSeconds }) => startSeconds <= seconds) ?? null

/** As the server wrote them into the page. */
export const chaptersOfPage = ({ dataset }: HTMLElement): Chapter[] =>
  JSON.parse(dataset['chapters'] ?? '[]') as Chapter[]
