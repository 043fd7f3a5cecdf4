import { currentLanguage, textOf } from '../shell/texts.ts'

export const languageTags = [
  ...['en', 'de', 'fr', 'es', 'it', 'pt', 'pt-BR', 'nl', 'pl', 'cs', 'sk', 'hu', 'ro', 'bg', 'el', 'tr'],
  ...['ru', 'uk', 'sr', 'hr', 'sl', 'sv', 'da', 'nb', 'fi', 'et', 'lv', 'lt', 'ar', 'he', 'fa', 'hi', 'bn'],
  ...['zh-Hans', 'zh-Hant', 'ja', 'ko', 'vi', 'th', 'id', 'ms', 'sw', 'und'],
] as const

/** Returns the tag of a language with this name in the language of the console; null for another text. */
export const findLanguage = (name: string): string | null =>
  languageTags.find(
    (tag) => languageName(tag).toLowerCase() === `${name.trim().toLowerCase()} (${tag.toLowerCase()})`,
  ) ?? null

/** `German (de)`. Returns an invalid tag unchanged. */
export const languageName = (tag: string): string => {
  if (tag === 'und') return `${textOf('file.languages', 'unknown')} (${tag})`
  try {
    const name = new Intl.DisplayNames(currentLanguage(), { type: 'language' }).of(tag)
    return name === undefined || name === tag ? tag : `${name} (${tag})`
  } catch {
    return tag
  }
}
