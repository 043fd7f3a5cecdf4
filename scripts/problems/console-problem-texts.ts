import { mediaMessageTexts } from '../../packages/ffmpeg/src/run/media-message-texts.ts'
import { issueTexts } from '../../server/src/platform/base/problem-texts/issue-texts.ts'
import { messageTexts } from '../../server/src/platform/base/problem-texts/message-texts.ts'
import { problemTexts } from '../../server/src/platform/base/problem-texts/problem-texts.ts'

type Texts = Readonly<Record<string, string>>

const toConsole = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([reason, text]) => [reason, text.replace(/\{(\w+)\}/g, '{{$1}}')]),
  )

/** The English texts of the console for the reasons of the API: the same sentences, from the same tables. */
export const consoleProblemTexts = (): Readonly<Record<string, Texts>> => ({
  reasons: toConsole(
    Object.fromEntries(Object.entries(problemTexts).map(([reason, [, text]]) => [reason, text])),
  ),
  issues: toConsole(issueTexts),
  messages: toConsole({ ...messageTexts, ...mediaMessageTexts }),
})
