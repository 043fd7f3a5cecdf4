/** Protocol between this page and the embedded player: docs/embed.md. */
const protocolVersion = 1

/** Timeout for a reply: a player that is not loaded does not reply. */
const answerMs = 500

interface PlayerMessage {
  readonly zoetrope?: unknown
  readonly id?: unknown
  readonly currentTime?: unknown
}

export interface PlayerLink {
  readonly attach: (frame: HTMLIFrameElement | null) => void
  readonly receive: (event: MessageEvent) => void
  readonly seek: (seconds: number) => void
  readonly pause: () => void
  readonly position: () => Promise<number>
  readonly lastPosition: () => number
  readonly subscribe: (listener: () => void) => () => void
}

export const createPlayerLink = (): PlayerLink => {
  let frame: HTMLIFrameElement | null = null
  let seconds = 0
  let nextId = 1
  const waiting = new Map<unknown, (seconds: number) => void>()
  const listeners = new Set<() => void>()

  const send = (message: object): void =>
    frame?.contentWindow?.postMessage({ zoetrope: protocolVersion, ...message }, location.origin)

  return {
    attach: (next) => {
      frame = next
    },
    receive: ({ source, origin, data }) => {
      if (frame === null || source !== frame.contentWindow || origin !== location.origin) return
      const { zoetrope, id, currentTime } = (data ?? {}) as PlayerMessage
      if (zoetrope !== protocolVersion || typeof currentTime !== 'number') return
      seconds = currentTime
      waiting.get(id)?.(currentTime)
      waiting.delete(id)
      for (const listener of listeners) listener()
    },
    seek: (to) => send({ command: 'seek', seconds: to }),
    pause: () => send({ command: 'pause' }),
    position: async () => {
      const id = nextId
      nextId += 1
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        setTimeout(() => {
          if (waiting.delete(id)) resolve(seconds)
        }, answerMs)
        send({ command: 'getState', id })
      })
    },
    lastPosition: () => seconds,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
