import { NotFoundError } from '@zoetrope/sdk'
import { zoetrope } from '../shell/api.ts'
import { queryClient, queryKeys } from '../shell/query.ts'
import {
  deleteKeptUploads,
  deleteKeptUpload,
  keepBytes,
  keepUpload,
  readBytes,
  readUpload,
  readUploads,
} from './kept-uploads.ts'
import { isClearlyNoMedia } from './no-media.ts'
import { sendUpload } from './send-upload.ts'
import { canBeMine, tabId, whenMine } from './tab.ts'
import {
  addToList,
  changeInList,
  findUpload,
  listUploads,
  removeFromList,
  type Upload,
  type UploadState,
} from './upload-list.ts'

/** More uploads share the same bandwidth, and fewer leave it idle between two files. */
const maxSending = 3

const controllers = new Map<string, AbortController>()
/** Called at the end of an upload to release its lock for other tabs. */
const endings = new Map<string, () => void>()

const keep = async (id: string): Promise<void> => {
  const upload = findUpload(id)
  if (upload === undefined || upload.state === 'done') return
  const { userId, projectId, name, sizeBytes, lastModified, fileId, uploadUri, sentBytes, state } = upload
  const isPaused = state === 'paused'
  const source = { name, sizeBytes, lastModified }
  const reached = { fileId, uploadUri, sentBytes, isPaused }
  await keepUpload({ id, userId, tabId, projectId, ...source, ...reached, keptAt: Date.now() })
}

const end = async (id: string): Promise<void> => {
  await deleteKeptUpload(id)
  endings.get(id)?.()
  endings.delete(id)
}

const send = async (upload: Upload & { file: File }): Promise<void> => {
  const { id, projectId, sizeBytes } = upload
  const controller = new AbortController()
  controllers.set(id, controller)
  changeInList(id, { state: 'sending', error: null, bytesPerSecond: null })
  try {
    await sendUpload(upload, {
      signal: controller.signal,
      onRecord: async (record) => {
        changeInList(id, record)
        await keep(id)
      },
      onProgress: (sentBytes, bytesPerSecond) => {
        changeInList(id, { sentBytes, bytesPerSecond, error: null })
        void keep(id)
      },
      onTrouble: (error) => changeInList(id, { bytesPerSecond: null, error }),
    })
    changeInList(id, { state: 'done', sentBytes: sizeBytes, file: null })
    await end(id)
  } catch (error) {
    if (!controller.signal.aborted) changeInList(id, { state: 'failed', error })
  } finally {
    controllers.delete(id)
    void queryClient.invalidateQueries({ queryKey: queryKeys.files(projectId) })
    sendNext()
  }
}

const sendNext = (): void => {
  for (const upload of listUploads()) {
    if (controllers.size >= maxSending) return
    const { file, state, id } = upload
    if (state === 'waiting' && file !== null && !controllers.has(id)) void send({ ...upload, file })
  }
}

/** Holds the lock of the upload until it is over. */
const take = (id: string, begin: () => Promise<boolean>): Promise<void> =>
  whenMine(id, async () => {
    const over = Promise.withResolvers<void>()
    endings.set(id, over.resolve)
    if (!(await begin())) over.resolve()
    sendNext()
    await over.promise
  })

const keepWhole = async (id: string, file: File): Promise<void> => {
  await keep(id)
  const isKept = await keepBytes(id, file)
  // The upload may have ended meanwhile.
  if ((findUpload(id)?.state ?? 'done') === 'done') await deleteKeptUpload(id)
  else changeInList(id, { isKept })
}

/** Resuming with different bytes would produce a corrupt file. */
export const isSameFile = (upload: Upload, file: File): boolean =>
  upload.name === file.name && upload.sizeBytes === file.size && upload.lastModified === file.lastModified

/** Resumes an orphaned upload of this file, if there is one. */
const adopt = (projectId: number, file: File): boolean => {
  const orphan = listUploads().find(
    (one) => one.state === 'orphaned' && one.projectId === projectId && isSameFile(one, file),
  )
  if (orphan === undefined) return false
  changeInList(orphan.id, { file, state: 'waiting' })
  void keepWhole(orphan.id, file)
  return true
}

const newUpload = (projectId: number, userId: number, file: File): Upload & { file: File } => ({
  id: `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`,
  ...{ userId, tabId, projectId, file },
  ...{ name: file.name, sizeBytes: file.size, lastModified: file.lastModified },
  ...{ state: 'waiting', sentBytes: 0, bytesPerSecond: null, error: null },
  ...{ fileId: null, uploadUri: null, isKept: false },
})

/**
 * Resumes interrupted uploads of these files and queues the others. Files that are empty or clearly no media are
 * listed but not sent.
 */
export const addUploads = (projectId: number, userId: number, files: readonly File[]): void => {
  const isRefused = (file: File): boolean => file.size === 0 || isClearlyNoMedia(file)
  const refused = files.filter(isRefused).map((file) => newUpload(projectId, userId, file))
  addToList(refused.map((upload) => ({ ...upload, state: 'refused' })))
  begin(
    projectId,
    userId,
    files.filter((file) => !isRefused(file)),
  )
}

export const uploadAnyway = (id: string): void => {
  const upload = findUpload(id)
  if (upload === undefined || upload.file === null) return
  removeFromList([id])
  begin(upload.projectId, upload.userId, [upload.file])
}

const begin = (projectId: number, userId: number, files: readonly File[]): void => {
  const fresh = files.filter((file) => !adopt(projectId, file))
  const added = fresh.map((file) => newUpload(projectId, userId, file))
  addToList(added)
  for (const { id, file } of added) {
    void take(id, async () => true)
    void keepWhole(id, file)
  }
  sendNext()
}

let restoring: Promise<void> | null = null

/** Resumes the running uploads once after a reload. */
export const restoreUploads = (userId: number): void => {
  restoring ??= restore(userId)
}

const restore = async (userId: number): Promise<void> => {
  for (const { id } of await readUploads(userId))
    void take(id, async () => {
      // Another tab may have finished it before this tab got the lock.
      const upload = await readUpload(id)
      if (upload === null || findUpload(id) !== undefined) return false
      const file = await readBytes(id)
      const isPaused = upload.isPaused || !canBeMine(upload)
      const state: UploadState = file === null ? 'orphaned' : isPaused ? 'paused' : 'waiting'
      const isKept = file !== null
      addToList([{ ...upload, file, state, isKept, bytesPerSecond: null, error: null }])
      return true
    })
}

const halt = (id: string, state: UploadState): void => {
  changeInList(id, { state, bytesPerSecond: null, error: null })
  controllers.get(id)?.abort()
  void keep(id)
}

export const pauseUpload = (id: string): void => halt(id, 'paused')

/**
 * Resumes a paused or failed upload. When the server has deleted it, starts a new upload of the same file.
 */
export const resumeUpload = async (id: string): Promise<void> => {
  const upload = findUpload(id)
  if (upload === undefined) return
  if (upload.error instanceof NotFoundError && upload.file !== null) {
    removeFromList([id])
    await end(id)
    begin(upload.projectId, upload.userId, [upload.file])
    return
  }
  changeInList(id, { state: 'waiting', error: null })
  sendNext()
  await keep(id)
}

export const cancelUpload = async (id: string): Promise<void> => {
  const upload = findUpload(id)
  controllers.get(id)?.abort()
  removeFromList([id])
  await end(id)
  if (upload === undefined || upload.fileId === null || upload.state === 'done') return
  // Without the permission to delete, the server deletes the unfinished upload later.
  await zoetrope.files.delete(upload.projectId, upload.fileId).catch(() => null)
}

/** Number of uploads that signing out would lose, in this tab and in others. */
export const countUnfinished = async (userId: number): Promise<number> => {
  const unfinished = new Set((await readUploads(userId)).map(({ id }) => id))
  for (const { id, state } of listUploads()) {
    if (state === 'done' || state === 'refused') unfinished.delete(id)
    else unfinished.add(id)
  }
  return unfinished.size
}

/**
 * Aborts all uploads and deletes their local data when the user leaves this computer. The server deletes its
 * part later.
 */
export const dropUploads = async (): Promise<void> => {
  for (const controller of controllers.values()) controller.abort()
  removeFromList(listUploads().map(({ id }) => id))
  await deleteKeptUploads()
}

export const clearDone = (): void =>
  removeFromList(
    listUploads()
      .filter(({ state }) => state === 'done' || state === 'refused')
      .map(({ id }) => id),
  )
