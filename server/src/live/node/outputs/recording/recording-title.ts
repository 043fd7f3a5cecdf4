/** Longest name within a title, with room for the additions. */
const longestName = 200

/** Returns the title of the File of a recording; `part` counts the recordings of one broadcast from 1. */
export const recordingTitle = (name: string, startedAt: Date, part: number): string => {
  const minute = startedAt.toISOString().slice(0, 16).replace('T', ' ')
  return `${name.slice(0, longestName).toWellFormed()}, ${minute} UTC${part > 1 ? ` (part ${part})` : ''}`
}
