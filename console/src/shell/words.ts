import i18next from 'i18next'
import { useTranslation } from 'react-i18next'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const storageKey = 'zoetrope-language'

const isLanguage = (value: string | null | undefined): value is Language =>
  languages.some((language) => language === value)

const preferredLanguage = (): Language => {
  const kept = localStorage.getItem(storageKey)
  if (isLanguage(kept)) return kept
  const asked = navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage)
  return asked ?? 'en'
}

export const currentLanguage = (): Language => (isLanguage(i18next.language) ? i18next.language : 'en')

export const setLanguage = async (language: Language): Promise<void> => {
  localStorage.setItem(storageKey, language)
  await i18next.changeLanguage(language)
}

i18next.on('languageChanged', (language) => {
  document.documentElement.lang = language
})

void i18next.init({
  lng: preferredLanguage(),
  fallbackLng: 'en',
  resources: {},
  // React escapes.
  interpolation: { escapeValue: false },
})

type Words = Readonly<Record<string, string>>

/** `key_one` and `key_other` are used as `key` with a count. */
type KeyOf<W> = keyof W extends infer K
  ? K extends `${infer Base}_one` | `${infer Base}_other`
    ? Base
    : K
  : never

export type Translate<W extends Words> = (key: KeyOf<W> & string, values?: Record<string, unknown>) => string

/**
 * Defines the texts of one screen in all languages. They are in the same chunk as the screen. A missing
 * German text is a type error. Returns a hook.
 */
export const defineWords = <const W extends Words>(
  name: string,
  texts: { readonly en: W; readonly de: Readonly<Record<keyof W, string>> },
): (() => Translate<W>) => {
  for (const language of languages) i18next.addResourceBundle(language, name, texts[language])
  return () => {
    const { t } = useTranslation(name, { i18n: i18next })
    // The type of `t` does not know our keys and values.
    const translate = t as (key: string, values: Record<string, unknown>) => string
    return (key, values = {}) => translate(key, values)
  }
}
