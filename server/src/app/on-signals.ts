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
