/** What the parent handed over (see `harness/child.ts`). The process ends with its parent, or when it is no longer wanted. */
export const readOptions = (): unknown => {
  process.on('disconnect', () => process.exit(0))
  return JSON.parse(process.argv[2] ?? '') as unknown
}

export const report = (message: object): void => {
  process.send?.(message)
}
