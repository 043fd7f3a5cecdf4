import type { MediaFileState } from '../../../../platform/db/tables/files.ts'

/** The flags of the API by state; the row stores only the state. */
export const flagsOf: Record<
  MediaFileState,
  { isFinished: boolean; isEncoded: boolean; hasErrors: boolean }
> = {
  created: { isFinished: false, isEncoded: false, hasErrors: false },
  uploaded: { isFinished: false, isEncoded: false, hasErrors: false },
  encoding: { isFinished: false, isEncoded: false, hasErrors: false },
  playable: { isFinished: false, isEncoded: true, hasErrors: false },
  finished: { isFinished: true, isEncoded: true, hasErrors: false },
  failed: { isFinished: true, isEncoded: false, hasErrors: true },
  degraded: { isFinished: true, isEncoded: true, hasErrors: true },
}

export const fileStates = Object.keys(flagsOf) as MediaFileState[]

/** Returns the states in which a flag of the API has a value. */
export const statesWith = (
  flag: 'isFinished' | 'isEncoded' | 'hasErrors',
  value: boolean,
): MediaFileState[] => fileStates.filter((state) => flagsOf[state][flag] === value)

export const isPlayableState = (state: MediaFileState): boolean => flagsOf[state].isEncoded
