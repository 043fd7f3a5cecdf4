import { randomUUID } from 'node:crypto'

export interface RecordingName {
  readonly accountId: number
  readonly projectId: number
  readonly broadcastId: number
  readonly startedAt: Date
}

/**
 * The name holds all that the row needs: it is all that is left when the node is killed during an outage of
 * the database.
 */
export const newRecordingName = ({ accountId, projectId, broadcastId, startedAt }: RecordingName): string =>
  `a${accountId}-p${projectId}-b${broadcastId}-t${startedAt.getTime()}-${randomUUID()}.mp4`

const pattern = /^a(\d+)-p(\d+)-b(\d+)-t(\d+)-[\da-f-]{36}\.mp4$/

/** Returns null for a file that is not a recording, such as a clip that a caller waits for. */
export const parseRecordingName = (fileName: string): RecordingName | null => {
  const numbers = pattern.exec(fileName)?.slice(1).map(Number)
  if (numbers === undefined || !numbers.every(Number.isSafeInteger)) return null
  const [accountId = 0, projectId = 0, broadcastId = 0, startedAtMs = 0] = numbers
  return { accountId, projectId, broadcastId, startedAt: new Date(startedAtMs) }
}

export const newClipName = (): string => `clip-${randomUUID()}.mp4`

/** Unreadable files are kept under another name for inspection. */
export const brokenNameOf = (fileName: string): string => `${fileName}${brokenEnding}`

export const isBrokenName = (fileName: string): boolean => fileName.endsWith(brokenEnding)

const brokenEnding = '.broken'

/** Ending of the temporary file with which a node finishes a recording from the media storage. */
export const joiningEnding = '.joining'
