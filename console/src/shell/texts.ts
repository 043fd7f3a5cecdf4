import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import type { FirstTexts, Texts } from '../locales/en/index.ts'
import { browserStorage } from './storage.ts'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const storageKey = 'zoetrope-language'

const isLanguage = (value: string | null | undefined): value is Language =>
  languages.some((language) => language === value)

const preferredLanguage = (): Language => {
  const stored = browserStorage.read(storageKey)
  if (isLanguage(stored)) return stored
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

export const currentLanguage = (): Language => (isLanguage(i18next.language) ? i18next.language : 'en')

type Area = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Each language is one chunk, without the texts of reasons. */
const loaders: Readonly<Record<Language, () => Promise<{ readonly texts: FirstTexts }>>> = {
  en: () => import('../locales/en/index.ts'),
  de: () => import('../locales/de/index.ts'),
}

const problemLoaders: Readonly<Record<Language, () => Promise<{ readonly default: Area }>>> = {
  en: () => import('../locales/en/problems.json'),
  de: () => import('../locales/de/problems.json'),
}

/** Until they are loaded, errors show the English message of the server. */
const loadProblems = async (language: Language): Promise<void> => {
  const { default: sections } = await problemLoaders[language]()
  for (const [section, resources] of Object.entries(sections))
    i18next.addResourceBundle(language, `problems.${section}`, resources, false, true, { silent: true })
  // Errors that are shown already are shown again.
  renewTexts()
}

const switchTo = async (language: Language): Promise<void> => {
  const { texts } = await loaders[language]()
  for (const [area, sections] of Object.entries(texts))
    for (const [section, resources] of Object.entries(sections))
      i18next.addResourceBundle(language, `${area}.${section}`, resources, false, true, { silent: true })
  await i18next.changeLanguage(language)
  renewTexts()
  document.documentElement.lang = language
  void loadProblems(language).catch(() => undefined)
}

/** Call before the first render: components read their texts synchronously. */
export const startTexts = async (): Promise<void> => {
  await i18next.init({
    resources: {},
    fallbackLng: false,
    // Event types and scopes contain dots and colons, and are keys as they are.
    keySeparator: false,
    nsSeparator: false,
    // React escapes.
    interpolation: { escapeValue: false },
  })
  await switchTo(preferredLanguage())
}

export const setLanguage = async (language: Language): Promise<void> => {
  browserStorage.write(storageKey, language)
  await switchTo(language)
}

/** A section of a locale file: `file.captions` is `captions` in `locales/<language>/file.json`. */
export type Section = { [A in keyof Texts]: `${A}.${keyof Texts[A] & string}` }[keyof Texts]

type KeysIn<S> = S extends `${infer A extends keyof Texts}.${infer Name}`
  ? keyof Texts[A][Name & keyof Texts[A]] & string
  : never

/** `key_one` and `key_other` are used as `key` with a count. */
type Base<K> = K extends `${infer Singular}_one` | `${infer Singular}_other` ? Singular : K

export type TextKey<S extends Section> = Base<KeysIn<S>>

type Values = Readonly<Record<string, unknown>>

export type Translate<S extends Section> = (key: TextKey<S>, values?: Values) => string

/** `count` selects the plural, and is shown as in the language: 1,000. Other numbers can be ids. */
const withShownCount = (values: Values): Values => {
  const { count } = values
  if (typeof count !== 'number') return values
  return { ...values, replace: { ...values, count: new Intl.NumberFormat(currentLanguage()).format(count) } }
}

/** For code outside of components: it does not render again after a change of the language. */
export const textOf = <S extends Section>(section: S, key: TextKey<S>, values: Values = {}): string =>
  i18next.getFixedT(null, section)(key as string, withShownCount(values))

const translators = new Map<Section, (key: string, values?: Values) => string>()
const listeners = new Set<() => void>()

const renewTexts = (): void => {
  translators.clear()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const translatorOf = (section: Section): ((key: string, values?: Values) => string) => {
  const known = translators.get(section)
  if (known !== undefined) return known
  // The type of `t` does not know our keys and values.
  const t = i18next.getFixedT(null, section) as (key: string, values: Values) => string
  // A list asks for the same texts in each row, and i18next takes longer than the row.
  const templates = new Map<string, string>()
  const translate = (key: string, values: Values = {}): string => {
    if ('count' in values) return t(key, withShownCount(values))
    const names = Object.keys(values)
    const template =
      templates.get(key) ?? t(key, Object.fromEntries(names.map((name) => [name, `{{${name}}}`])))
    templates.set(key, template)
    const shown = values as Readonly<Record<string, string | number | undefined>>
    return template.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => String(shown[name] ?? ''))
  }
  translators.set(section, translate)
  return translate
}

/** The function stays the same until the texts change, so that memoised rows do not render again. */
export const useTexts = <S extends Section>(section: S): Translate<S> =>
  useSyncExternalStore(subscribe, () => translatorOf(section))

/** Text of a code that the server sent. Null = a newer server sent a code without a text. */
export const textOfCode = (section: Section, code: string, values: Values = {}): string | null =>
  i18next.exists(code, { ns: section }) ? i18next.t(code, { ns: section, ...withShownCount(values) }) : null
