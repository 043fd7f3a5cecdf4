/**
 * One writer per upload. A second request takes over: its sender came back, so the first one's connection is dead or about to be. A lock
 * lives as long as the work it guards, so it dies with its socket.
 */
export interface UploadLocks {
  readonly withLock: <T>(name: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>
  /** The same for whoever only asks: lets the one before it end undisturbed. */
  readonly afterLock: <T>(name: string, work: () => Promise<T>) => Promise<T>
}

interface Holder {
  readonly abort: AbortController
  readonly done: Promise<unknown>
}

export const createUploadLocks = (): UploadLocks => {
  const holders = new Map<string, Holder>()
  /** Each waits for the one before it, so that even three at once work one after the other. */
  const inTurn = async <T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const abort = new AbortController()
    const before = holders.get(name)
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
  }
  return {
    withLock: (name, work) => {
      holders.get(name)?.abort.abort()
      return inTurn(name, work)
    },
    afterLock: inTurn,
  }
}
