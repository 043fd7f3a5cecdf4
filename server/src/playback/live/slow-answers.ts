import type { ServerResponse } from 'node:http'

export interface SlowAnswers {
  /** Must be called after the end of the answer was written. */
  readonly watch: (response: ServerResponse) => void
  /** Aborts answers that are too late to be played. */
  readonly sweep: () => void
}

/** Longer than any segment. A very slow client keeps bytes in memory that have left the window. */
const mostMs = 120_000

export const createSlowAnswers = (now: () => number): SlowAnswers => {
  /** Start time of each answer, oldest first. */
  const taking = new Map<ServerResponse, number>()
  function remove(this: ServerResponse): void {
    taking.delete(this)
  }
  return {
    watch: (response) => {
      // Most answers fit into the socket buffers of the operating system.
      if (response.socket === null || response.socket.writableLength === 0) return
      taking.set(response, now())
      response.once('close', remove)
    },
    sweep: () => {
      for (const [response, sinceMs] of taking) {
        if (sinceMs + mostMs > now()) return
        response.destroy()
      }
    },
  }
}
