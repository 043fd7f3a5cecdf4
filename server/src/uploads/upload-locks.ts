/**
 * One writer per upload. A second request takes over: its sender came back, so the first one's connection is dead or about to be. A lock
 * lives as long as the work it guards, so it dies with its socket.
 */
export interface UploadLocks {
  readonly withLock: <T>(name: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>
}

interface Holder {
  readonly abort: AbortController
  readonly done: Promise<unknown>
}

export const createUploadLocks = (): UploadLocks => {
  const holders = new Map<string, Holder>()
  return {
    withLock: async (name, work) => {
      const abort = new AbortController()
      const before = holders.get(name)
      before?.abort.abort()
      // Each waits for the one before it, so that even three at once write one after the other.
      const done = (async () => {
        await before?.done.catch(() => {})
        return work(abort.signal)
      })()
      const holder = { abort, done }
      holders.set(name, holder)
      try {
        return await done
      } finally {
        if (holders.get(name) === holder) holders.delete(name)
      }
    },
  }
}
