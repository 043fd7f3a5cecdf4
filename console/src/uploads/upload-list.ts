import { useSyncExternalStore } from 'react'

/**
 * `waiting` in the queue, `sending`, `paused` by the user, `failed`, `orphaned` (the user must choose the
 * file again), `done`, `refused` (empty or no media, not sent).
 */
export type UploadState = 'waiting' | 'sending' | 'paused' | 'failed' | 'orphaned' | 'done' | 'refused'

export interface Upload {
  readonly id: string
  readonly userId: number
  readonly tabId: string
  readonly projectId: number
  readonly name: string
  readonly sizeBytes: number
  readonly lastModified: number
  readonly state: UploadState
  readonly sentBytes: number
  readonly bytesPerSecond: number | null
  readonly error: unknown
  readonly fileId: number | null
  readonly uploadUri: string | null
  /** Null when only the name is known after a reload. */
  readonly file: File | null
  /** Whether a reload loses nothing. */
  readonly isKept: boolean
}

let uploads: readonly Upload[] = []
const listeners = new Set<() => void>()

const set = (next: readonly Upload[]): void => {
  uploads = next
  for (const listener of listeners) listener()
}

export const listUploads = (): readonly Upload[] => uploads

export const findUpload = (id: string): Upload | undefined => uploads.find((upload) => upload.id === id)

export const addToList = (added: readonly Upload[]): void => set([...uploads, ...added])

export const changeInList = (id: string, changes: Partial<Upload>): void =>
  set(uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))

export const removeFromList = (ids: readonly string[]): void =>
  set(uploads.filter(({ id }) => !ids.includes(id)))

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useUploads = (): readonly Upload[] => useSyncExternalStore(subscribe, listUploads)

/** Upload progress of a file in percent. Null when this tab does not send it. */
export const useSentPercent = (fileId: number): number | null =>
  useSyncExternalStore(subscribe, () => {
    const upload = uploads.find((one) => one.fileId === fileId && one.state !== 'done')
    return upload === undefined ? null : Math.floor((100 * upload.sentBytes) / Math.max(1, upload.sizeBytes))
  })

const isOpen = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending'

export const wouldLose = (): boolean => uploads.some((upload) => isOpen(upload) && !upload.isKept)

export const totalsOf = (listed: readonly Upload[]) => {
  const all = listed.filter(({ state }) => state !== 'refused')
  const totalBytes = all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const sentBytes = all.reduce((sum, { sentBytes: sent }) => sum + sent, 0)
  const sending = all.filter(({ state }) => state === 'sending')
  const bytesPerSecond = sending.reduce((sum, { bytesPerSecond: rate }) => sum + (rate ?? 0), 0)
  const openBytes = all
    .filter(isOpen)
    .reduce((sum, { sizeBytes, sentBytes: sent }) => sum + sizeBytes - sent, 0)
  return {
    count: all.length,
    doneCount: all.filter(({ state }) => state === 'done').length,
    percent: totalBytes === 0 ? 0 : Math.floor((100 * sentBytes) / totalBytes),
    isBusy: all.some(isOpen),
    secondsLeft: bytesPerSecond === 0 || openBytes === 0 ? null : openBytes / bytesPerSecond,
  }
}
