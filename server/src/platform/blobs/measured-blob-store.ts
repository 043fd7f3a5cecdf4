import { Histogram } from 'prom-client'
import { traced } from '../telemetry/tracing.ts'
import {
  BlobNotFoundError,
  BlobStoreUnavailableError,
  StorageFullError,
  type BlobStore,
} from './blob-store.ts'

const durations = new Histogram({
  name: 'zoetrope_blob_operation_duration_seconds',
  help: 'Time of one operation of the media storage: for stream until its first byte, for localFile until the local copy exists.',
  labelNames: ['store', 'operation', 'result'],
  buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
})

const resultOf = (error: unknown): string => {
  if (error instanceof BlobNotFoundError) return 'missing'
  if (error instanceof StorageFullError) return 'full'
  return error instanceof BlobStoreUnavailableError ? 'unavailable' : 'failed'
}

/** Measures the operations of a store. */
export const measureBlobStore = (store: 'disk' | 's3', blobs: BlobStore): BlobStore => {
  const begin = (operation: string): ((result: string) => void) => {
    const startedMs = performance.now()
    return (result) => durations.observe({ store, operation, result }, (performance.now() - startedMs) / 1000)
  }
  const measured = async <T>(operation: string, work: () => Promise<T>): Promise<T> => {
    const end = begin(operation)
    try {
      const result = await traced(
        `blob ${operation}`,
        { kind: 'client', attributes: { 'zoetrope.store': store } },
        work,
      )
      end('ok')
      return result
    } catch (error) {
      end(resultOf(error))
      throw error
    }
  }
  return {
    put: (key, data, options) => measured('put', () => blobs.put(key, data, options)),
    adopt: (localPath, key) => measured('adopt', () => blobs.adopt(localPath, key)),
    join: (key, pieces) => measured('join', () => blobs.join(key, pieces)),
    stat: (key) => measured('stat', () => blobs.stat(key)),
    read: (key, range) => measured('read', () => blobs.read(key, range)),
    stream: (key, range) => measured('stream', () => blobs.stream(key, range)),
    withLocalFile: async (key, use, plan) => {
      const end = begin('localFile')
      let isLent = false
      const lend: typeof use = (path, isWhole) => {
        isLent = true
        end('ok')
        return use(path, isWhole)
      }
      try {
        return await blobs.withLocalFile(key, lend, plan)
      } catch (error) {
        // The error of the user is none of the store.
        if (!isLent) end(resultOf(error))
        throw error
      }
    },
    list: (prefix) => measured('list', () => blobs.list(prefix)),
    deletePrefix: (prefix) => measured('deletePrefix', () => blobs.deletePrefix(prefix)),
    delete: (key) => measured('delete', () => blobs.delete(key)),
    deleteAll: (names) => measured('deleteAll', () => blobs.deleteAll(names)),
    checkHealth: () => measured('checkHealth', blobs.checkHealth),
    sweepTemporary: blobs.sweepTemporary,
  }
}
