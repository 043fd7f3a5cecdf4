import { invalidField } from '../../platform/base/problem.ts'

/** Returns the canonical form of a BCP 47 tag (RFC 5646 4.5): `EN-us` → `en-US`. Throws 'invalid'. */
export const canonicalLanguage = (tag: string, field: string): string => {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag)
    if (canonical.length <= 35) return canonical
  } catch {
    // Malformed tags get the same message as tags that are too long.
  }
  throw invalidField(field, 'not_language_tag', { value: tag.slice(0, 40) })
}

/** Removes extensions and private subtags, which `Intl.DisplayNames` refuses: `de-x-sport` → `de`. */
const namedPartOf = (language: string): string => new Intl.Locale(language).baseName

/** Returns the name of a language in that language: `Deutsch`, `Português (Brasil)`. */
export const languageName = (language: string): string => {
  const names = new Intl.DisplayNames([language, 'en'], { type: 'language' })
  const name = names.of(namedPartOf(language)) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

let englishNames: Intl.DisplayNames | undefined

/** Returns the English name of a language, or undefined when the tag is unknown. Creating the names takes 25 ms, so not every start pays for them. */
export const englishLanguageName = (language: string): string | undefined =>
  (englishNames ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })).of(
    namedPartOf(language),
  )
