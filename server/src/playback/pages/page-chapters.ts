import { chaptersOf, type Chapter } from '../../library/captions/chapters.ts'
import { captionsOf } from '../../library/files/record/media-file-store.ts'
import type { Database } from '../../platform/db/database.ts'
import type { CaptionTexts } from '../captions/caption-texts.ts'

const maxLanguages = 10

/**
 * Returns the viewer's languages, best first: the one requested in the URL, then those of the Accept-Language
 * header in their order.
 */
export const languagesOf = (asked: unknown, acceptLanguage: string | undefined): string[] =>
  [typeof asked === 'string' ? asked : '', ...(acceptLanguage ?? '').split(',', maxLanguages)]
    .map((one) => one.split(';', 1)[0]?.trim().toLowerCase() ?? '')
    .filter((one) => one !== '')

/** Matches in both directions: `de` finds `de-AT`, and `de-AT` finds `de`. */
const speaks = (language: string, wanted: string): boolean => {
  const has = language.toLowerCase()
  return has === wanted || has.startsWith(`${wanted}-`) || wanted.startsWith(`${has}-`)
}

/**
 * Returns the list in the viewer's best language, else the English one, else the first; null without lists.
 */
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

/** Returns the chapters of a file in the viewer's best language. */
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
