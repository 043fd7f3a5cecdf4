import { expect, test } from 'vitest'
import { chooseByLanguage, languagesOf } from './page-chapters.ts'

const lists = [{ language: 'de' }, { language: 'en-GB' }, { language: 'pt-BR' }]

test.each([
  ['the language in the URL takes precedence', 'pt', 'de', 'pt-BR'],
  ['the browser’s languages in their order', undefined, 'fr,en-US;q=0.9,de;q=0.8', 'de'],
  ['a dialect finds its language', undefined, 'de-AT,de;q=0.9', 'de'],
  ['a language finds its dialect', undefined, 'en', 'en-GB'],
  ['English where nothing fits', undefined, 'fr', 'en-GB'],
  ['English where nothing is said', undefined, undefined, 'en-GB'],
  ['nonsense is passed over', ['de'], ',,;q=1, *', 'en-GB'],
])('%s', (_why, asked, header, expected) => {
  expect(chooseByLanguage(lists, languagesOf(asked, header))?.language).toBe(expected)
})

test('chooseByLanguage falls back to the first list, and to null without lists', () => {
  expect(chooseByLanguage([{ language: 'de' }, { language: 'fr' }], ['ja'])?.language).toBe('de')
  expect(chooseByLanguage([], ['en'])).toBeNull()
})
