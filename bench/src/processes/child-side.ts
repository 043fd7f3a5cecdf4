/**
 * Reads the options from the parent (see `harness/child.ts`). The process ends with its parent, or when the
 * parent disconnects.
 */
export const readOptions = (): unknown => {
  process.on('disconnect', () => process.exit(0))
  return JSON.parse(process.argv[2] ?? '') as unknown
}

export const report = (message: object): void => {
  process.send?.(message)
}
