export interface WaitingViewer {
  /** Aborted when the viewer closes the connection. */
  readonly signal: AbortSignal
  /** Whether the player is sent to the same address again when nothing is there in time. */
  readonly isReturning: boolean
}

export interface SharedWait {
  /** Those who have not closed their connections. */
  readonly viewers: ReadonlySet<WaitingViewer>
  /** Aborted when all have. */
  readonly gone: AbortSignal
}

export interface SharedWaits<Result> {
  /** Joins the wait under this key. `begin` runs if there is none. */
  readonly join: (
    key: string,
    viewer: WaitingViewer,
    begin: (wait: SharedWait) => Promise<Result>,
  ) => Promise<Result>
}

/** Viewers of one chunk share the wait for it, which ends when all of them have gone. */
export const createSharedWaits = <Result>(): SharedWaits<Result> => {
  const underWay = new Map<
    string,
    { viewers: Set<WaitingViewer>; end: () => void; result: Promise<Result> }
  >()

  const start = (key: string, begin: (wait: SharedWait) => Promise<Result>) => {
    const viewers = new Set<WaitingViewer>()
    const gone = new AbortController()
    const forget = (): void => {
      if (underWay.get(key) === wait) underWay.delete(key)
    }
    const end = (): void => {
      forget()
      gone.abort()
    }
    const wait = { viewers, end, result: begin({ viewers, gone: gone.signal }).finally(forget) }
    underWay.set(key, wait)
    return wait
  }

  return {
    join: (key, viewer, begin) => {
      const { viewers, end, result } = underWay.get(key) ?? start(key, begin)
      const leave = (): void => {
        viewers.delete(viewer)
        if (viewers.size === 0) end()
      }
      viewers.add(viewer)
      if (viewer.signal.aborted) leave()
      else viewer.signal.addEventListener('abort', leave, { once: true })
      return result
    },
  }
}
