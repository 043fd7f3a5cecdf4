import type { ServerResponse } from 'node:http'

/** Answers that viewers are long in taking. */
export interface SlowAnswers {
  /** For an answer that has just been ended. */
  readonly watch: (response: ServerResponse) => void
  /** Breaks off what nobody can be playing any more. */
  readonly sweep: () => void
}

/** Longer than any segment, and a bit of it now and then keeps its bytes in memory after it has left the window. */
const mostMs = 120_000

export const createSlowAnswers = (now: () => number): SlowAnswers => {
  /** Since when, the oldest first. */
  const taking = new Map<ServerResponse, number>()
  function forget(this: ServerResponse): void {
    taking.delete(this)
  }
  return {
    watch: (response) => {
      // Most fit into the buffers of the system.
      if (response.socket === null || response.socket.writableLength === 0) return
      taking.set(response, now())
      response.once('close', forget)
    },
    sweep: () => {
      for (const [response, sinceMs] of taking) {
        if (sinceMs + mostMs > now()) return
        response.destroy()
      }
    },
  }
}
