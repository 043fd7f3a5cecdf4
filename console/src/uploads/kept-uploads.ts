/**
 * State to resume an upload after a reload or in another tab. The upload URL is a credential, so it is stored
 * within this origin until the upload is done.
 */
export interface KeptUpload {
  readonly id: string
  readonly userId: number
  readonly tabId: string
  readonly projectId: number
  readonly name: string
  readonly sizeBytes: number
  readonly lastModified: number
  /** Null until the server has created the record. */
  readonly fileId: number | null
  readonly uploadUri: string | null
  /** Bytes that the server last acknowledged. */
  readonly sentBytes: number
  readonly isPaused: boolean
  readonly keptAt: number
}

/** By default, the server deletes an unfinished upload a day after its last byte. */
const longestKeptMs = 7 * 24 * 3_600_000

/**
 * Browsers copy stored files: a gigabyte takes some seconds and as much disk space. Users choose larger files
 * again.
 */
const largestKeptBytes = 2_000_000_000

const promiseOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')))
  })

const stores = ['uploads', 'bytes'] as const
type Store = (typeof stores)[number]

const databaseName = 'zoetrope-uploads'

const openDatabase = async (): Promise<IDBDatabase> => {
  const request = indexedDB.open(databaseName, 1)
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore('uploads', { keyPath: 'id' })
    request.result.createObjectStore('bytes')
  })
  const opened = await promiseOf(request)
  // Another tab deletes the database. This tab stores nothing more and is about to reload.
  opened.addEventListener('versionchange', () => opened.close())
  return opened
}

let database: Promise<IDBDatabase> | null = null

/** In private windows or on a full disk, nothing is stored: an upload then lasts as long as its tab. */
const inStore = async <T>(
  store: Store,
  mode: IDBTransactionMode,
  work: (objects: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> => {
  try {
    database ??= openDatabase()
    const opened = await database
    return await promiseOf(work(opened.transaction(store, mode).objectStore(store)))
  } catch {
    return undefined
  }
}

export const keepUpload = async (upload: KeptUpload): Promise<void> => {
  await inStore('uploads', 'readwrite', (objects) => objects.put(upload))
}

/**
 * Stored apart from the state, which changes too often to copy the bytes each time. Returns whether they are
 * stored.
 */
export const keepBytes = async (id: string, file: File): Promise<boolean> => {
  if (file.size > largestKeptBytes) return false
  // Pages without https cannot estimate the free space.
  const room = 'storage' in navigator ? await navigator.storage.estimate() : {}
  if (room.quota !== undefined && room.quota - (room.usage ?? 0) < 2 * file.size) return false
  return (await inStore('bytes', 'readwrite', (objects) => objects.put(file, id))) !== undefined
}

export const readBytes = async (id: string): Promise<File | null> => {
  const file: unknown = await inStore('bytes', 'readonly', (objects) => objects.get(id))
  if (!(file instanceof File)) return null
  // A browser short of disk space may have evicted the bytes.
  const first = await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => null)
  return first === null ? null : file
}

export const deleteKeptUpload = async (id: string): Promise<void> => {
  for (const store of stores) await inStore(store, 'readwrite', (objects) => objects.delete(id))
}

export const readUpload = async (id: string): Promise<KeptUpload | null> => {
  const kept: KeptUpload | undefined = await inStore('uploads', 'readonly', (objects) => objects.get(id))
  return kept ?? null
}

const patienceMs = 3_000

/**
 * Deletes the data of all tabs when a user leaves this computer. Waits a limited time for other tabs to close
 * the database. This tab stores nothing afterwards.
 */
export const deleteKeptUploads = async (): Promise<void> => {
  const opened = await database?.catch(() => null)
  opened?.close()
  database = Promise.reject(new Error('nothing is kept any more'))
  // Later callers handle the rejection themselves.
  database.catch(() => {})
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(patience.resolve, patienceMs)
  await Promise.race([promiseOf(indexedDB.deleteDatabase(databaseName)), patience.promise]).catch(() => {})
  clearTimeout(timer)
}

/** Returns the uploads of this user. Deletes expired uploads and those of other users. */
export const readUploads = async (userId: number, now = Date.now()): Promise<KeptUpload[]> => {
  const all: KeptUpload[] = (await inStore('uploads', 'readonly', (objects) => objects.getAll())) ?? []
  const isWanted = (kept: KeptUpload): boolean => kept.userId === userId && now - kept.keptAt <= longestKeptMs
  for (const { id } of all.filter((kept) => !isWanted(kept))) await deleteKeptUpload(id)
  return all.filter(isWanted)
}
