import german from './de.json' with { type: 'json' }
import english from './en.json' with { type: 'json' }

export type Texts = Readonly<typeof english>

const languages = { en: english, de: german } satisfies Readonly<Record<string, Texts>>

/** Replaces each `{{name}}` of a text. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')

/** Selects the first supported language of the viewer and sets it as the language of the page. */
export const chooseTexts = (page: HTMLElement, wanted: readonly string[]): Texts => {
  const known = wanted
    .map((tag) => tag.toLowerCase().split('-')[0])
    .find((tag): tag is keyof typeof languages => tag !== undefined && Object.hasOwn(languages, tag))
  page.lang = known ?? 'en'
  return languages[known ?? 'en']
}
