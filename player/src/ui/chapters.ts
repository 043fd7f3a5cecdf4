export interface Chapter {
  readonly startSeconds: number
  readonly title: string
}

export const chapterAt = (chapters: readonly Chapter[], seconds: number): Chapter | null =>
  chapters.findLast(({ startSeconds }) => startSeconds <= seconds) ?? null

export const chaptersOfPage = ({ dataset }: HTMLElement): Chapter[] =>
  JSON.parse(dataset['chapters'] ?? '[]') as Chapter[]
