import { invalidField } from '../kernel/problem.ts'
import type { CaptionDocument, Cue } from './caption-cues.ts'
import { plainCueText } from './cue-text.ts'

/** W3C WebVTT 1.3: each cue is a chapter, its text the title. */
export interface Chapter {
  readonly startSeconds: number
  readonly title: string
}

/** They stand in the player's page, which shall stay small. */
const maxChapters = 500
const maxTitleLength = 200

const chapterOf = ({ startMs, text }: Cue): Chapter => ({
  startSeconds: startMs / 1_000,
  title: plainCueText(text),
})

export const chaptersOf = ({ cues }: CaptionDocument): Chapter[] => cues.map(chapterOf)

/** Throws 'invalid' for more than a menu can hold. */
export const checkChapters = (document: CaptionDocument): void => {
  const chapters = chaptersOf(document)
  if (chapters.length > maxChapters)
    throw invalidField('Content', `has ${chapters.length} chapters; ${maxChapters} are the most.`)
  const long = chapters.find(({ title }) => Array.from(title).length > maxTitleLength)
  if (long !== undefined)
    throw invalidField(
      'Content',
      `has a title of more than ${maxTitleLength} characters, which begins with "${Array.from(long.title).slice(0, 40).join('')}".`,
    )
}
