/** Calls `stop` once on the first SIGINT or SIGTERM; a second one ends the process at once. */
export const onSignals = (stop: () => Promise<void>): void => {
  let isStopping = false
  const handle = (): void => {
    if (isStopping) process.exit(130)
    isStopping = true
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Zoetrope did not stop cleanly: ${(error as Error).message}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  // The terminal was closed.
  process.on('SIGHUP', handle)
}

/** Programs such as `timeout` signal the process and its group, so it gets one signal twice. */
const sameSignalMs = 500

/**
 * Runs a command that removes what it has written when its signal aborts: on the first SIGINT, SIGTERM or SIGHUP. A
 * second one ends the process at once.
 */
export const untilInterrupted = async <T>(
  run: (signal: AbortSignal) => Promise<T>,
  onInterrupt: () => void,
): Promise<T> => {
  const stopping = new AbortController()
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  let abortedAtMs = 0
  const handle = (): void => {
    if (stopping.signal.aborted) {
      if (performance.now() - abortedAtMs > sameSignalMs) process.exit(130)
      return
    }
    abortedAtMs = performance.now()
    stopping.abort()
    onInterrupt()
  }
  for (const name of names) process.on(name, handle)
  try {
    return await run(stopping.signal)
  } finally {
    for (const name of names) process.off(name, handle)
  }
}
