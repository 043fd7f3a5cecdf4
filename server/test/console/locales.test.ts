import { readFile } from 'node:fs/promises'
import { eventNames, permissions, roles, viewDimensions } from '@zoetrope/vocabulary'
import { expect, test } from 'vitest'
import { texts as german } from '../../../console/src/locales/de/index.ts'
import germanProblems from '../../../console/src/locales/de/problems.json' with { type: 'json' }
import { texts as english } from '../../../console/src/locales/en/index.ts'
import englishProblems from '../../../console/src/locales/en/problems.json' with { type: 'json' }
import { consoleProblemTexts } from '../../../scripts/problems/console-problem-texts.ts'
import { readSources } from './source-texts.ts'

type Sections = Readonly<Record<string, Readonly<Record<string, string>>>>

const sectionsOf = (areas: Readonly<Record<string, Sections>>): Sections =>
  Object.fromEntries(
    Object.entries(areas).flatMap(([area, sections]) =>
      Object.entries(sections).map(([section, texts]) => [`${area}.${section}`, texts]),
    ),
  )

const locales = {
  en: sectionsOf({ ...english, problems: englishProblems }),
  de: sectionsOf({ ...german, problems: germanProblems }),
}
const sources = await readSources(new URL('../../../console/src/', import.meta.url))
/** Keys can be names of the API. */
const api = [
  await readFile(new URL('../../../packages/sdk/src/generated/api.ts', import.meta.url), 'utf8'),
  ...[...permissions, ...eventNames, ...roles].map((name) => `'${name}'`),
].join('\n')

const pathsOf = (sections: Sections): string[] =>
  Object.entries(sections).flatMap(([section, texts]) =>
    Object.keys(texts).map((key) => `${section}: ${key}`),
  )

/** `key_one` and `key_other` are forms of `key`. */
const baseOf = (key: string): string => key.replace(/_(one|other)$/, '')

const formsOf = (texts: Readonly<Record<string, string>>, base: string): string[] =>
  Object.keys(texts).filter((key) => baseOf(key) === base)

const placeholdersOf = (texts: Readonly<Record<string, string>>, base: string): string[] => {
  const all = formsOf(texts, base).flatMap((key) =>
    [...(texts[key] ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name),
  )
  return [...new Set(formsOf(texts, base).length > 1 ? [...all, 'count'] : all)].toSorted()
}

const basesOf = (texts: Readonly<Record<string, string>>): string[] => [
  ...new Set(Object.keys(texts).map(baseOf)),
]

test('English and German have the same keys', () => {
  expect(pathsOf(locales.de).toSorted()).toEqual(pathsOf(locales.en).toSorted())
})

test('no text is blank or has space at its ends', () => {
  for (const sections of Object.values(locales))
    for (const texts of Object.values(sections))
      for (const [key, text] of Object.entries(texts)) expect(text, key).toMatch(/^\S(.*\S)?$/s)
})

test('each plural has both forms', () => {
  const odd = Object.entries(locales.en).flatMap(([section, texts]) =>
    Object.keys(texts)
      .filter((key) => baseOf(key) !== key && formsOf(texts, baseOf(key)).length !== 2)
      .map((key) => `${section}: ${key}`),
  )
  expect(odd).toEqual([])
})

/** The English texts of these are the messages of the API. German may leave out the id of the page's record. */
const isMessage = (section: string): boolean => section.startsWith('problems.')

test('English and German have the same placeholders', () => {
  for (const [section, texts] of Object.entries(locales.en))
    for (const base of basesOf(texts)) {
      const expected = placeholdersOf(texts, base)
      const found = placeholdersOf(locales.de[section] ?? {}, base)
      expect(isMessage(section) ? expected : found, `${section}: ${base}`).toEqual(
        isMessage(section) ? expect.arrayContaining(found) : expected,
      )
    }
})

test('the English problem texts match those of the server', () => {
  expect(englishProblems).toEqual(consoleProblemTexts())
})

test('calls give exactly the values that their texts have placeholders for', () => {
  const wrong = sources.flatMap(({ path, calls, sectionsOf: variables }) =>
    calls.flatMap(({ variable, keys, values }) => {
      const sections = [...(variables.get(variable) ?? [])].map((name) => locales.en[name] ?? {})
      return (keys ?? []).flatMap((key) => {
        const having = sections.filter((texts) => formsOf(texts, key).length > 0)
        if (having.length === 0 || values === null) return []
        const given = values.toSorted().join()
        const isRight = having.some((texts) =>
          placeholdersOf(texts, key).every((one) => values.includes(one)),
        )
        return isRight ? [] : [`${path}: ${key} is given "${given}"`]
      })
    }),
  )
  expect(wrong).toEqual([])
})

test('each text is used', () => {
  const anywhere = new Set([
    ...sources.flatMap(({ literals }) => [...literals]),
    ...permissions.map((permission) => permission.split(':')[0] ?? ''),
    ...viewDimensions,
  ])
  const unused = Object.entries(locales.en).flatMap(([section, texts]) => {
    const users = sources.filter(({ literals, sectionsOf: variables }) =>
      [literals, ...variables.values()].some((names) => names.has(section)),
    )
    const isByCode = users.some(({ calls }) =>
      calls.some(({ variable, keys }) => variable === 'textOfCode' && keys?.includes(section) === true),
    )
    if (isByCode) return []
    const isDynamic = users.some(({ calls, sectionsOf: variables }) =>
      calls.some(({ variable, keys }) => keys === null && variables.get(variable)?.has(section) === true),
    )
    const isUsed = (key: string): boolean =>
      users.some(
        ({ literals, patterns }) => literals.has(key) || patterns.some((pattern) => pattern.test(key)),
      ) ||
      (isDynamic && (anywhere.has(key) || api.includes(`'${key}'`) || api.includes(`"${key}"`)))
    return basesOf(texts)
      .filter((key) => !isUsed(key))
      .map((key) => `${section}: ${key}`)
  })
  expect(unused).toEqual([])
})

/** Names are the same in each language. */
const untranslated = new Set(['HLS', 'DASH', 'Zoetrope', 'X-Token'])

test('no text is outside of the locale files', () => {
  // The page /design is for maintainers.
  const translated = sources.filter(({ path }) => !path.startsWith('design/'))
  const stray = translated.flatMap(({ path, strayTexts }) =>
    strayTexts
      .filter((text) => !untranslated.has(text) && !/^\w+:\/\//.test(text))
      .map((text) => `${path}: ${text}`),
  )
  expect(stray).toEqual([])
})
