import type { MessageParams, Reason } from '@zoetrope/vocabulary'
import { currentLanguage, textOf, textOfCode } from './texts.ts'

/** What the server calls a value that is not a field. */
export const subjectOf = (field: string): string => {
  if (field === 'The body' || field === '') return textOf('ui.problem', 'body')
  return /^(The p|P)icture$/.test(field) ? textOf('ui.problem', 'picture') : field
}

/** The track of a subtitle, such as `in English ("Forced")`. */
const trackName = (language: string, title: string | null): string => {
  // Names of languages have no extensions and private subtags: `de-x-sport` → `de`.
  const { baseName } = new Intl.Locale(language)
  const name = new Intl.DisplayNames(currentLanguage(), { type: 'language' }).of(baseName) ?? language
  const track =
    language === 'und'
      ? textOf('ui.problem', 'trackOfUnknownLanguage')
      : textOf('ui.problem', 'trackInLanguage', { language: name })
  return title === null ? track : textOf('ui.problem', 'trackWithTitle', { track, title })
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** Shows points in time in the language and time zone of the user. Null = a cause has no text here. */
const shownParams = (params: MessageParams): Record<string, string | number> | null => {
  const shown: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(params)) {
    const text = typeof value === 'object' ? reasonText(value) : value
    if (text === null) return null
    const isInstant = typeof text === 'string' && instant.test(text)
    shown[name] = isInstant ? new Date(text).toLocaleString(currentLanguage()) : text
  }
  const { language, title } = params
  if (typeof language === 'string')
    shown['track'] = trackName(language, typeof title === 'string' ? title : null)
  return shown
}

/** Without the full stop of a cause at its end. */
const issueIn = (reason: string, shown: Record<string, string | number>): string | null =>
  textOfCode('problems.issues', reason, shown)?.replace(/\.$/, '') ?? null

/** Renders a reason in the language of the user. Null = a newer server sent one that has no text here. */
export const reasonText = ({ reason, params }: Reason): string | null => {
  const shown = shownParams(params)
  if (shown === null) return null
  const issue = issueIn(reason, shown)
  if (issue !== null) return `${subjectOf(String(shown['field']))} ${issue}.`
  return textOfCode('problems.messages', reason, shown) ?? textOfCode('problems.reasons', reason, shown)
}

/** Text of an issue with one field, which follows its name. Null = unknown. */
export const issueOf = ({ reason, params }: Reason): string | null => {
  const shown = shownParams(params)
  return shown === null ? null : issueIn(reason, shown)
}

/** Renders the message of a record. Records of older releases have only its English text. */
export const messageText = (
  english: string,
  reason: string | null | undefined,
  params: Readonly<Record<string, unknown>> | null | undefined,
): string =>
  // The API describes the params of a cause as an object, which its schema does not look into.
  reason == null ? english : (reasonText({ reason, params: (params ?? {}) as MessageParams }) ?? english)
