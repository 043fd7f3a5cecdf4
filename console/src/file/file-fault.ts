import type { MediaFile } from '@zoetrope/sdk'
import { messageText } from '../shell/reason-text.ts'

type Failed = Pick<MediaFile, 'ErrorMessage' | 'ErrorReason' | 'ErrorParams'>

/** Returns why a file failed or why its source could not be fetched yet. Empty without an error. */
export const faultText = ({ ErrorMessage, ErrorReason, ErrorParams }: Failed): string =>
  ErrorMessage === null ? '' : messageText(ErrorMessage, ErrorReason, ErrorParams)
