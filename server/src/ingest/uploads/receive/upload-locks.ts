import { setTimeout } from 'node:timers/promises'

/**
 * Allows one writer per upload. A second request takes over: its sender has returned, so the first connection
 * is dead or about to be. A lock lasts as long as the work that it guards, so it ends with its socket.
 */
export interface UploadLocks {
  readonly withLock: <T>(
    name: string,
    work: (signal: AbortSignal) => Promise<T>,
    /** Returns whether the sender has no more bytes, so that the work is about to end. */
    isEnding?: () => boolean,
  ) => Promise<T>
  /** Waits for the current writer without interrupting it, for requests that only read. */
  readonly afterLock: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /**
   * Resolves when the writer of a broken connection has stored its bytes; does not wait for a writer whose
   * sender is still connected.
   */
  readonly whenSettled: (name: string) => Promise<void>
}

/** Time until this process notices that the client has closed its connection. */
const noticeMs = 300

interface Holder {
  readonly abort: AbortController
  readonly done: Promise<unknown>
  readonly isEnding: () => boolean
}

export const createUploadLocks = (): UploadLocks => {
  const holders = new Map<string, Holder>()
  /** Each request waits for the one before it, so that even three at once run one after the other. */
  const inTurn = async <T>(
    name: string,
    work: (signal: AbortSignal) => Promise<T>,
    isEnding: () => boolean = () => true,
  ): Promise<T> => {
    const abort = new AbortController()
    const before = holders.get(name)
    const done = (async () => {
      await before?.done.catch(() => {})
      return work(abort.signal)
    })()
    const holder = { abort, done, isEnding }
    holders.set(name, holder)
    try {
      return await done
    } finally {
      if (holders.get(name) === holder) holders.delete(name)
    }
  }
  return {
    withLock: (name, work, isEnding) => {
      holders.get(name)?.abort.abort()
      return inTurn(name, work, isEnding)
    },
    afterLock: (name, work) => inTurn(name, work),
    whenSettled: async (name) => {
      const holder = holders.get(name)
      if (holder === undefined) return
      const done = holder.done.catch(() => {})
      const notice = new AbortController()
      await Promise.race([done, setTimeout(noticeMs, null, { signal: notice.signal }).catch(() => {})])
      notice.abort()
      if (holder.isEnding()) await done
    },
  }
}
