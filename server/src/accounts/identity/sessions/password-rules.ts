import { invalidField } from '../../../platform/base/problem.ts'
import { normalized } from './passwords.ts'

const minLength = 10

/** Shorter parts occur in many good passwords by chance. */
const minPartLength = 4
/** A password with at most this many letters outside of common parts is easy to guess. */
const maxOwnLetters = 4

/** First guesses, alone or with digits and symbols around them. */
const commonWords = [
  'password',
  'passwort',
  'passphrase',
  'motdepasse',
  'contrasena',
  'welcome',
  'willkommen',
  'letmein',
  'changeme',
  'iloveyou',
  'administrator',
  'admin',
  'default',
  'secret',
  'login',
  'hello',
  'dragon',
  'monkey',
  'football',
  'baseball',
  'sunshine',
  'princess',
  'superman',
  'batman',
  'master',
  'summer',
  'winter',
  'spring',
  'autumn',
]

/** Adjacent keys on keyboards (QWERTY, QWERTZ, AZERTY) and letters of the alphabet. */
const rows = [
  '12345678901234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
]
const runs = [...rows, ...rows.map((row) => Array.from(row).toReversed().join(''))]
const minRunLength = 4

const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  $: 's',
  '5': 's',
  '7': 't',
  '!': 'i',
}

const lengthOf = (text: string): number => Array.from(text).length
const withoutSpaces = (text: string): string => text.replaceAll(/[\s\p{P}]/gu, '')

const runAt = (text: string, from: number): number => {
  let longest = 0
  for (const row of runs) {
    let length = 0
    while (from + length < text.length && row.includes(text.slice(from, from + length + 1))) length += 1
    longest = Math.max(longest, length)
  }
  return longest
}

const withoutRuns = (text: string): string => {
  let rest = ''
  for (let index = 0; index < text.length;) {
    const length = runAt(text, index)
    if (length < minRunLength) rest += text[index]
    index += length < minRunLength ? 1 : length
  }
  return rest
}

const isCommon = (text: string): boolean => {
  const rest = withoutRuns(commonWords.reduce((left, word) => left.replaceAll(word, ''), text))
  return rest !== text && lengthOf(rest.replaceAll(/\P{L}/gu, '')) <= maxOwnLetters
}

const isRepeated = (text: string): boolean => {
  const characters = Array.from(text)
  const repeatsAfter = (distance: number): boolean =>
    characters.every((character, index) => index < distance || character === characters[index - distance])
  for (let distance = 1; distance <= characters.length / 2; distance += 1)
    if (repeatsAfter(distance)) return true
  return false
}

const partsOf = ({ email, name }: { readonly email: string; readonly name: string }): string[] => {
  const address = email.slice(0, Math.max(0, email.lastIndexOf('@')))
  const texts = [address, ...address.split(/[.+_-]/), name, ...name.split(/\s+/), 'zoetrope']
  return texts
    .map((text) => withoutSpaces(normalized(text).toLowerCase()))
    .filter((text) => lengthOf(text) >= minPartLength)
}

/** Requires a long password that is not among the first guesses. Throws 'invalid'. */
export const checkNewPassword = (
  password: string,
  field: string,
  person: { readonly email: string; readonly name: string },
): void => {
  const text = normalized(password).toLowerCase()
  // Checks the typed and the normalized length, because normalization may expand or combine letters.
  if (Math.min(lengthOf(password), lengthOf(text)) < minLength)
    throw invalidField(field, 'too_few_characters', { min: minLength })
  if (new Set(text).size < 5) throw invalidField(field, 'too_few_different_characters')
  if (isRepeated(text)) throw invalidField(field, 'repeated_characters')
  const bare = withoutSpaces(text)
  if (partsOf(person).some((part) => bare.includes(part))) throw invalidField(field, 'contains_personal_data')
  const plain = Array.from(text, (character) => lookAlikes[character] ?? character).join('')
  if ([text, bare, plain].some(isCommon)) throw invalidField(field, 'common_password')
}
