import { glob, stat } from 'node:fs/promises'
import { UsageError } from '../usage-error.ts'

/** Pattern characters that the shell left alone because they were quoted. */
const isPattern = (path: string): boolean => /[*?[{]/.test(path)

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isFile() === true

/** Returns the given and matching files, each once. An existing name is never a pattern. */
export const expandPaths = async (given: readonly string[]): Promise<string[]> => {
  const found = new Set<string>()
  for (const path of given) {
    if (await isFile(path)) {
      found.add(path)
      continue
    }
    if (!isPattern(path))
      throw new UsageError(`Cannot read ${path}: it does not exist or is not a readable file.`)
    const matches: string[] = []
    for await (const match of glob(path)) if (await isFile(match)) matches.push(match)
    if (matches.length === 0) throw new UsageError(`No file matches ${path}.`)
    for (const match of matches.sort()) found.add(match)
  }
  return [...found]
}
