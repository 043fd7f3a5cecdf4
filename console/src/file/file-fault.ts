import { currentLanguage } from '../shell/texts.ts'
import { germanFault } from './german-faults.ts'

const nextAttempt = / The next attempt is at (\S+)\.$/

/** Returns why a file failed or why its source could not be fetched yet. Empty without an error. */
export const faultText = (message: string | null): string => {
  if (message === null) return ''
  const isGerman = currentLanguage() === 'de'
  const reason = message.replace(nextAttempt, '')
  const at = nextAttempt.exec(message)?.[1]
  const said = isGerman ? germanFault(reason) : reason
  if (at === undefined) return said
  const time = new Date(at).toLocaleTimeString(currentLanguage())
  return `${said} ${isGerman ? `Nächster Versuch um ${time}.` : `The next attempt is at ${time}.`}`
}
