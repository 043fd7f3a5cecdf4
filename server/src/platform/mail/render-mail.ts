import type { MailKind, MailLanguage, MailParams, MailText, MailTexts } from './mail-kinds.ts'
import { english } from './english-texts.ts'
import { german } from './german-texts.ts'

const textsOf: Readonly<Record<MailLanguage, MailTexts>> = { en: english, de: german }

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const maxValueLength = 200
/** A time as `toISOString` writes it. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3}Z|\+00:00)$/

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Names come from users: without control characters and overlong texts, they stay within their sentence. */
const shown = (value: string, language: MailLanguage): string => {
  if (instant.test(value) && !Number.isNaN(Date.parse(value)))
    return `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(value))} UTC`
  const clean = value.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
  return clean.length <= maxValueLength ? clean : `${clean.slice(0, maxValueLength)}…`
}

const filled = (text: string, values: Readonly<Record<string, string>>, language: MailLanguage): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => shown(values[name] ?? '', language))

const htmlOf = (subject: string, before: readonly string[], button: string, after: readonly string[]) => {
  const paragraph = (text: string): string => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
  return [
    `<!doctype html><html><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    '<body style="font-family:sans-serif;max-width:36em;margin:2em auto;padding:0 1em;line-height:1.5">',
    ...before.map(paragraph),
    button,
    ...after.map(paragraph),
    '</body></html>',
  ].join('\n')
}

export const renderMail = <Kind extends MailKind>(
  kind: Kind,
  language: MailLanguage,
  params: MailParams[Kind],
): RenderedMail => {
  const values: Readonly<Record<string, string>> = { ...params }
  const { subject, paragraphs, action, notes = [] }: MailText = textsOf[language][kind]
  const fill = (text: string): string => filled(text, values, language)
  const [before, after] = [paragraphs.map(fill), notes.map(fill)]
  const link = values['link'] ?? ''
  const hasButton = action !== undefined && link !== ''
  const button = hasButton
    ? `<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:.6em 1.2em;background:#1a5fb4;color:#fff;text-decoration:none;border-radius:4px">${escapeHtml(action)}</a></p><p style="word-break:break-all"><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`
    : ''
  return {
    subject: fill(subject),
    text: `${[...before, ...(hasButton ? [`${action}:\n${link}`] : []), ...after].join('\n\n')}\n`,
    html: htmlOf(fill(subject), before, button, after),
  }
}
