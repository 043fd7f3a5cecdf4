/** Longest name within a title, with room for the additions. */
const longestName = 200

const titleAt = (name: string, startedAt: Date, addition: string): string => {
  const minute = startedAt.toISOString().slice(0, 16).replace('T', ' ')
  return `${name.slice(0, longestName).toWellFormed()}, ${minute} UTC${addition}`
}

/** Returns the title of the File of a recording; `part` counts the recordings of one broadcast from 1. */
export const recordingTitle = (name: string, startedAt: Date, part: number): string =>
  titleAt(name, startedAt, part > 1 ? ` (part ${part})` : '')

/** A recording may begin in the same minute. */
export const clipTitle = (name: string, startedAt: Date): string => titleAt(name, startedAt, ' (clip)')
