import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as english } from '@zxcvbn-ts/language-en'

/** The dictionaries have no German. These words open most German passwords. */
const german =
  'passwort kennwort passphrase geheim willkommen herzlich hallo ichliebedich liebe schatz sommer herbst winter frühling fruehling januar februar märz april mai juni juli august september oktober november dezember montag dienstag mittwoch donnerstag freitag samstag sonntag firma büro buero verein fussball fußball test muster mustermann beispiel sicher sicherheit zugang anmeldung administrator haus hund katze auto familie mama papa baby blume sonne stern'.split(
    ' ',
  )
const others = ['motdepasse', 'contrasena', 'changeme', 'letmein', 'zoetrope', 'video', 'stream']

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common, ...english, german, others },
  graphs: adjacencyGraphs,
  // Each substitution is tried on its own, which takes most of the time.
  l33tMaxSubstitutions: 20,
})

export interface GuessQuestion {
  readonly id: number
  readonly text: string
  /** Words that an attacker knows about the person. */
  readonly known: readonly string[]
}

export interface GuessAnswer {
  readonly id: number
  readonly guessesLog10: number
  /** The text contains a word, not only random characters. */
  readonly hasWord: boolean
}

parentPort?.on('message', ({ id, text, known }: GuessQuestion) => {
  const { guessesLog10, sequence } = zxcvbn.check(text, [...known])
  const hasWord = sequence.some(({ pattern }) => pattern === 'dictionary')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage({ id, guessesLog10, hasWord } satisfies GuessAnswer)
})
