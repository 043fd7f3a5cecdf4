import { invalidField } from '../../platform/base/problem.ts'
import type { CaptionDocument, Cue } from './text/caption-cues.ts'
import { plainCueText } from './text/cue-text.ts'

/** A chapter, made from one cue whose text is the title (W3C WebVTT 1.3). */
export interface Chapter {
  readonly startSeconds: number
  readonly title: string
}

/** The player page embeds all chapters, so limits keep it small. */
const maxChapters = 500
const maxTitleLength = 200
/** Longer texts are cut before their title is read: decoding megabytes of entities would block other requests. */
const maxTextLength = 20 * maxTitleLength

const chapterOf = ({ startMs, text }: Cue): Chapter => ({
  startSeconds: startMs / 1_000,
  title: plainCueText(text.slice(0, maxTextLength)),
})

export const chaptersOf = ({ cues }: CaptionDocument): Chapter[] => cues.map(chapterOf)

/** Throws 'invalid' for too many chapters and for titles that are too long. */
export const checkChapters = (document: CaptionDocument): void => {
  const { length } = document.cues
  if (length > maxChapters)
    throw invalidField('Content', 'too_many_chapters', { count: length, max: maxChapters })
  const long = chaptersOf(document).find(({ title }) => Array.from(title).length > maxTitleLength)
  if (long !== undefined)
    throw invalidField('Content', 'chapter_title_too_long', {
      max: maxTitleLength,
      title: Array.from(long.title).slice(0, 40).join(''),
    })
}
