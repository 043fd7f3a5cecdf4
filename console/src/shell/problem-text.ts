import { ApiError, ConnectionError, TimeoutError } from '@zoetrope/sdk'
import { germanProblem } from './german-problems.ts'
import { currentLanguage, defineWords, type Translate } from './words.ts'

const texts = {
  en: {
    unreachable: 'The server cannot be reached. What you typed is still here: try again in a moment.',
    stale: 'Somebody else has changed this meanwhile. Reload it and make your change again.',
    unknown: 'Something went wrong: {{message}}',
  },
  de: {
    unreachable:
      'Der Server ist nicht erreichbar. Ihre Eingaben sind noch da: Versuchen Sie es gleich noch einmal.',
    stale: 'Jemand anderes hat das inzwischen geändert. Laden Sie es neu und ändern Sie es noch einmal.',
    unknown: 'Etwas ist schiefgegangen: {{message}}',
  },
}

export const useProblemWords = defineWords('problems', texts)

/** Message of the API, which states the remedy. Translated to German when known. */
const refusalText = (error: ApiError): string =>
  currentLanguage() === 'de' ? germanProblem(error) : error.message

export const problemText = (t: Translate<(typeof texts)['en']>, error: unknown): string => {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return t('unreachable')
  if (error instanceof ApiError) return error.status === 412 ? t('stale') : refusalText(error)
  return t('unknown', { message: error instanceof Error ? error.message : String(error) })
}
