import { currentLanguage } from '../shell/words.ts'
import { germanFault } from './german-faults.ts'

/** Why a file failed, for people; empty where it did not. */
export const faultText = (message: string | null): string =>
  message === null ? '' : currentLanguage() === 'de' ? germanFault(message) : message
