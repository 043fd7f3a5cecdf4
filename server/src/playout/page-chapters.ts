import { chaptersOf, type Chapter } from '../captions/chapters.ts'
import { captionsOf } from '../files/media-file-store.ts'
import type { Database } from '../kernel/db/database.ts'
import type { CaptionTexts } from './caption-texts.ts'

const maxLanguages = 10

/** What a viewer reads, best first: what the address asks for goes before the browser, which sends its languages in this order. */
export const languagesOf = (asked: unknown, acceptLanguage: string | undefined): string[] =>
  [typeof asked === 'string' ? asked : '', ...(acceptLanguage ?? '').split(',', maxLanguages)]
    .map((one) => one.split(';', 1)[0]?.trim().toLowerCase() ?? '')
    .filter((one) => one !== '')

/** `de` finds `de-AT`, and `de-AT` finds `de`. */
const speaks = (language: string, wanted: string): boolean => {
  const has = language.toLowerCase()
  return has === wanted || has.startsWith(`${wanted}-`) || wanted.startsWith(`${has}-`)
}

/** The list for a viewer: English, or any, where there is none in a language of theirs; null where there is no list. Pure. */
export const chooseByLanguage = <List extends { readonly language: string }>(
  lists: readonly List[],
  languages: readonly string[],
): List | null => {
  for (const wanted of [...languages, 'en']) {
    const found = lists.find(({ language }) => speaks(language, wanted))
    if (found !== undefined) return found
  }
  return lists[0] ?? null
}

/** Of a file, in the language that its viewer reads best. */
export const readChapters = async (
  { kysely }: Database,
  texts: CaptionTexts,
  fileId: number,
  languages: readonly string[],
): Promise<Chapter[]> => {
  const lists = (await captionsOf(kysely, fileId)).filter(({ kind }) => kind === 'chapters')
  const list = chooseByLanguage(lists, languages)
  const text = list === null ? null : await texts.read(list.caption_blob)
  return text === null ? [] : chaptersOf(text.document)
}
