/** As long as a title of ours may be, with room for what is added. */
const longestName = 200

/** Of the File that comes of a recording; `part` counts the recordings of one broadcast from 1. */
export const recordingTitle = (name: string, startedAt: Date, part: number): string => {
  const minute = startedAt.toISOString().slice(0, 16).replace('T', ' ')
  return `${name.slice(0, longestName).toWellFormed()}, ${minute} UTC${part > 1 ? ` (part ${part})` : ''}`
}
