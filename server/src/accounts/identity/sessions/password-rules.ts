import { invalidField } from '../../../platform/base/problem.ts'
import type { IsBreached } from './breached-passwords.ts'
import type { GuessEstimator } from './guess-estimator.ts'
import { normalized } from './passwords.ts'

const minLength = 10

/** Shorter parts occur in many good passwords by chance. */
const minPartLength = 4

/** The estimate takes quadratic time. A password whose start cannot be guessed cannot be guessed as a whole. */
const maxEstimatedLength = 64
/** A guess at the hash takes an attacker 10 ms of a core: these are four months. */
const minGuessesLog10 = 9
/** Words without their punctuation need fewer guesses, because each common one is tried with each other. */
const minGuessesOfWordsLog10 = 8.2
/** More punctuation is no decoration of words. */
const maxDecoration = 4

/** The person who sets a password. */
export interface PasswordOwner {
  readonly email: string
  readonly name: string
  readonly accountName: string
}

/** Throws 'invalid' for a short password, and for one that can be guessed. */
export type CheckNewPassword = (password: string, field: string, owner: PasswordOwner) => Promise<void>

const lengthOf = (text: string): number => Array.from(text).length
const withoutPunctuation = (text: string): string => text.replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')

const isRepeated = (text: string): boolean => {
  const characters = Array.from(text)
  const repeatsAfter = (distance: number): boolean =>
    characters.every((character, index) => index < distance || character === characters[index - distance])
  for (let distance = 1; distance <= characters.length / 2; distance += 1)
    if (repeatsAfter(distance)) return true
  return false
}

const wordsOf = (texts: readonly string[]): string[] =>
  texts
    .map((text) => withoutPunctuation(normalized(text).toLowerCase()))
    .filter((text) => lengthOf(text) >= minPartLength)

/** These must not occur in the password at all. */
const partsOf = ({ email, name }: PasswordOwner): string[] => {
  const address = email.slice(0, Math.max(0, email.lastIndexOf('@')))
  return wordsOf([address, ...address.split(/[.+_-]/), name, ...name.split(/\s+/), 'zoetrope'])
}

/** These may, among other words. */
const knownWordsOf = ({ email, accountName }: PasswordOwner): string[] => {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return wordsOf([domain, ...domain.split('.'), accountName, ...accountName.split(/\s+/)])
}

/** Checks what needs no dictionary. */
const checkShape = (password: string, field: string, owner: PasswordOwner): void => {
  const text = normalized(password).toLowerCase()
  // Checks the typed and the normalized length, because normalization may expand or combine letters.
  if (Math.min(lengthOf(password), lengthOf(text)) < minLength)
    throw invalidField(field, 'too_few_characters', { min: minLength })
  if (new Set(text).size < 5) throw invalidField(field, 'too_few_different_characters')
  if (isRepeated(text)) throw invalidField(field, 'repeated_characters')
  const bare = withoutPunctuation(text)
  if (partsOf(owner).some((part) => bare.includes(part))) throw invalidField(field, 'contains_personal_data')
}

export const createPasswordRules =
  (estimator: GuessEstimator, isBreached: IsBreached | null): CheckNewPassword =>
  async (password, field, owner) => {
    checkShape(password, field, owner)
    const known = knownWordsOf(owner)
    const text = Array.from(normalized(password)).slice(0, maxEstimatedLength).join('')
    const lowered = text.toLowerCase()
    const bare = withoutPunctuation(lowered)
    for (const variant of new Set([text, lowered])) {
      const { guessesLog10 } = await estimator.estimate(variant, known)
      if (guessesLog10 < minGuessesLog10) throw invalidField(field, 'common_password')
    }
    if (lengthOf(lowered) - lengthOf(bare) <= maxDecoration) {
      const { guessesLog10, hasWord } = await estimator.estimate(bare, known)
      if (hasWord && guessesLog10 < minGuessesOfWordsLog10) throw invalidField(field, 'common_password')
    }
    if (isBreached !== null && (await isBreached(password))) throw invalidField(field, 'breached_password')
  }
