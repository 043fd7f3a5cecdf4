export interface Chapter {
  readonly startSeconds: number
  readonly title: string
}

/** Returns the chapter at this time, or null before the first one. */
export const chapterAt = (chapters: readonly Chapter[], seconds: number): Chapter | null =>
  chapters.findLast(({ startSeconds }) => startSeconds <= seconds) ?? null

/** Reads the chapters that the server wrote into the page. */
export const chaptersOfPage = ({ dataset }: HTMLElement): Chapter[] =>
  JSON.parse(dataset['chapters'] ?? '[]') as Chapter[]
