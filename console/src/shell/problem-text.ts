import { ApiError, ConnectionError, TimeoutError } from '@zoetrope/sdk'
import { germanProblem } from './german-problems.ts'
import { currentLanguage, type Translate } from './texts.ts'

/** Message of the API, which states the remedy. Translated to German when known. */
const refusalText = (error: ApiError): string =>
  currentLanguage() === 'de' ? germanProblem(error) : error.message

export const problemText = (t: Translate<'problems.general'>, error: unknown): string => {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return t('unreachable')
  if (error instanceof ApiError) return error.status === 412 ? t('stale') : refusalText(error)
  return t('unknown', { message: error instanceof Error ? error.message : String(error) })
}
