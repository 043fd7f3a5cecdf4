export interface ConnectionShares {
  /** For transactions: one connection each. */
  readonly pooled: number
  /** For standalone statements, many at a time on each connection. */
  readonly pipelined: number
  readonly queue: number
}

/** Divides the connections that a process may open, at least four. */
export const shareConnections = (count: number): ConnectionShares => {
  const queue = count < 8 ? 1 : 2
  const pipelined = Math.min(4, Math.floor(count / 4))
  return { pooled: count - queue - pipelined, pipelined, queue }
}
