import { invalidField } from '../../kernel/problem.ts'
import { normalized } from './passwords.ts'

const minLength = 10

/** Shorter ones stand in many a good password by chance. */
const minPartLength = 4
/** With no more than so many letters of its own, a password is one of those that are tried first. */
const maxOwnLetters = 4

/** What strangers try first, alone or with digits and signs around it. */
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

/** Neighbours on keyboards (QWERTY, QWERTZ, AZERTY) and in the alphabet. */
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

/** Signs that are written for letters. */
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

/** The longest run along a row that begins here. */
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

/** One character, or a few, again and again. */
const isRepeated = (text: string): boolean => {
  const characters = Array.from(text)
  const repeatsAfter = (distance: number): boolean =>
    characters.every((character, index) => index < distance || character === characters[index - distance])
  for (let distance = 1; distance <= characters.length / 2; distance += 1)
    if (repeatsAfter(distance)) return true
  return false
}

/** What is known of the person, and the name of the product. */
const partsOf = ({ email, name }: { readonly email: string; readonly name: string }): string[] => {
  const address = email.slice(0, Math.max(0, email.lastIndexOf('@')))
  const texts = [address, ...address.split(/[.+_-]/), name, ...name.split(/\s+/), 'zoetrope']
  return texts
    .map((text) => withoutSpaces(normalized(text).toLowerCase()))
    .filter((text) => lengthOf(text) >= minPartLength)
}

/** Long, and not what a stranger would try first. Throws 'invalid'. */
export const checkNewPassword = (
  password: string,
  field: string,
  person: { readonly email: string; readonly name: string },
): void => {
  const text = normalized(password).toLowerCase()
  // As typed and as kept: one letter may be normalized to many, or many to one.
  if (Math.min(lengthOf(password), lengthOf(text)) < minLength)
    throw invalidField(field, `must have at least ${minLength} characters.`)
  if (new Set(text).size < 5) throw invalidField(field, 'must have at least five different characters.')
  if (isRepeated(text)) throw invalidField(field, 'must not be the same few characters again and again.')
  const bare = withoutSpaces(text)
  if (partsOf(person).some((part) => bare.includes(part)))
    throw invalidField(field, 'must hold neither your name, nor your e-mail address, nor the name Zoetrope.')
  const plain = Array.from(text, (character) => lookAlikes[character] ?? character).join('')
  if ([text, bare, plain].some(isCommon))
    throw invalidField(
      field,
      'must not be one of those that are tried first, such as password123 or qwertz12345.',
    )
}
