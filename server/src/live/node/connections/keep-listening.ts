import type { Server } from 'node:net'
import type { Log } from '../../../platform/log/log.ts'

export interface KeptListener {
  /** Start of the wait for the port, in milliseconds since 1970; null while it listens. */
  readonly waitingSinceMs: () => number | null
  readonly close: () => void
}

const defaultRetryMs = 5_000

/**
 * Listens, or retries until the port is free, because the rest of the product works without it. Resolves
 * after the first attempt.
 */
export const keepListening = async (
  server: Server,
  where: { readonly host: string; readonly port: number; readonly name: string },
  log: Log,
  retryMs = defaultRetryMs,
): Promise<KeptListener> => {
  const { host, port, name } = where
  const tried = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  let waitingSinceMs: number | null = null
  const listen = (): void => void server.listen({ host, port })
  server.on('listening', () => {
    if (waitingSinceMs !== null) log.info({ host, port }, `${name} ingest is listening`)
    waitingSinceMs = null
    tried.resolve()
  })
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (waitingSinceMs === null)
      log.warn({ host, port, err: error }, `cannot listen on the ${name} port; retrying`)
    waitingSinceMs ??= Date.now()
    tried.resolve()
    timer = setTimeout(listen, retryMs)
    timer.unref()
  })
  listen()
  await tried.promise
  return {
    waitingSinceMs: () => waitingSinceMs,
    close: () => {
      clearTimeout(timer)
      if (server.listening) server.close()
    },
  }
}
