import { randomUUID } from 'node:crypto'

/** What a recording is known by before it has a row. */
export interface RecordingName {
  readonly accountId: number
  readonly projectId: number
  readonly broadcastId: number
  readonly startedAt: Date
}

/** It says all that its row needs: where the database was away, and the node was killed before it came back, the name is what is left. */
export const newRecordingName = ({ accountId, projectId, broadcastId, startedAt }: RecordingName): string =>
  `a${accountId}-p${projectId}-b${broadcastId}-t${startedAt.getTime()}-${randomUUID()}.mp4`

const pattern = /^a(\d+)-p(\d+)-b(\d+)-t(\d+)-[\da-f-]{36}\.mp4$/

/** Null for what is no recording: a clip that somebody waits for, or waited. */
export const parseRecordingName = (fileName: string): RecordingName | null => {
  const numbers = pattern.exec(fileName)?.slice(1).map(Number)
  if (numbers === undefined || !numbers.every(Number.isSafeInteger)) return null
  const [accountId = 0, projectId = 0, broadcastId = 0, startedAtMs = 0] = numbers
  return { accountId, projectId, broadcastId, startedAt: new Date(startedAtMs) }
}

export const newClipName = (): string => `clip-${randomUUID()}.mp4`

/** What cannot be read is kept under another name, for people. */
export const brokenNameOf = (fileName: string): string => `${fileName}${brokenEnding}`

export const isBrokenName = (fileName: string): boolean => fileName.endsWith(brokenEnding)

const brokenEnding = '.broken'
