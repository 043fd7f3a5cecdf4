import { NotFoundError } from '@zoetrope/sdk'
import { zoetrope } from '../shell/api.ts'
import { queryClient, queryKeys } from '../shell/query.ts'
import {
  forgetEverything,
  forgetUpload,
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

/** More share the same line; fewer leave it idle between two files. */
const maxSending = 3

const controllers = new Map<string, AbortController>()
/** Called when an upload is over: it gives the upload back to other tabs. */
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
  await forgetUpload(id)
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

/** This tab works on it from now until it is over. */
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
  // It may have ended meanwhile.
  if ((findUpload(id)?.state ?? 'done') === 'done') await forgetUpload(id)
  else changeInList(id, { isKept })
}

/** Other bytes behind those that were sent before would make a file that nobody has. */
export const isSameFile = (upload: Upload, file: File): boolean =>
  upload.name === file.name && upload.sizeBytes === file.size && upload.lastModified === file.lastModified

/** Of one that was left off. */
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

/** Continues those that were interrupted before. What is clearly no media stands in the list and is not sent. */
export const addUploads = (projectId: number, userId: number, files: readonly File[]): void => {
  const isRefused = (file: File): boolean => isClearlyNoMedia(file)
  const refused = files.filter(isRefused).map((file) => newUpload(projectId, userId, file))
  addToList(refused.map((upload) => ({ ...upload, state: 'refused' })))
  begin(
    projectId,
    userId,
    files.filter((file) => !isRefused(file)),
  )
}

/** Sends a file although its name is not that of a media file. */
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

/** After a reload, once: what was under way goes on by itself. */
export const restoreUploads = (userId: number): void => {
  restoring ??= restore(userId)
}

const restore = async (userId: number): Promise<void> => {
  for (const { id } of await readUploads(userId))
    void take(id, async () => {
      // Another tab may have brought it to its end before this one got it.
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

/** Also after it has failed: where the server knows nothing of it any more, as a new upload of the same file. */
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
  // Who may not delete leaves it to the server, which forgets what nobody finishes.
  await zoetrope.files.delete(upload.projectId, upload.fileId).catch(() => null)
}

/** How many would be lost if this person left: those of this tab, and those that other tabs work on. */
export const countUnfinished = async (userId: number): Promise<number> => {
  const unfinished = new Set((await readUploads(userId)).map(({ id }) => id))
  for (const { id, state } of listUploads()) {
    if (state === 'done' || state === 'refused') unfinished.delete(id)
    else unfinished.add(id)
  }
  return unfinished.size
}

/** Somebody leaves this computer: nothing goes on, and nothing stays behind. What the server has of it, it forgets by itself. */
export const dropUploads = async (): Promise<void> => {
  for (const controller of controllers.values()) controller.abort()
  removeFromList(listUploads().map(({ id }) => id))
  await forgetEverything()
}

export const clearDone = (): void =>
  removeFromList(
    listUploads()
      .filter(({ state }) => state === 'done' || state === 'refused')
      .map(({ id }) => id),
  )
