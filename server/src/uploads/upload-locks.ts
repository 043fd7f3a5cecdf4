import { setTimeout } from 'node:timers/promises'

/**
 * One writer per upload. A second request takes over: its sender came back, so the first one's connection is dead or about to be. A lock
 * lives as long as the work it guards, so it dies with its socket.
 */
export interface UploadLocks {
  readonly withLock: <T>(
    name: string,
    work: (signal: AbortSignal) => Promise<T>,
    /** Whether nothing more is to come from the sender, so that the work is about to end. */
    isEnding?: () => boolean,
  ) => Promise<T>
  /** The same for whoever only asks: lets the one before it end undisturbed. */
  readonly afterLock: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** Resolves when the writer of a broken connection has stored its bytes; does not wait for one whose sender is still there. */
  readonly whenSettled: (name: string) => Promise<void>
}

/** Time until the end of a connection that the client has closed already is noticed here. */
const noticeMs = 300

interface Holder {
  readonly abort: AbortController
  readonly done: Promise<unknown>
  readonly isEnding: () => boolean
}

export const createUploadLocks = (): UploadLocks => {
  const holders = new Map<string, Holder>()
  /** Each waits for the one before it, so that even three at once work one after the other. */
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
