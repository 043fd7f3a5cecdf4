import { glob, stat } from 'node:fs/promises'
import { UsageError } from '../usage-error.ts'

/** Characters of a pattern that the shell has left alone, because it stood in quotation marks. */
const isPattern = (path: string): boolean => /[*?[{]/.test(path)

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isFile() === true

/** The files that are meant, each once, by name. A name that exists is never taken for a pattern. */
export const expandPaths = async (given: readonly string[]): Promise<string[]> => {
  const found = new Set<string>()
  for (const path of given) {
    if (await isFile(path)) {
      found.add(path)
      continue
    }
    if (!isPattern(path)) throw new UsageError(`${path} is no file that can be read.`)
    const matches: string[] = []
    for await (const match of glob(path)) if (await isFile(match)) matches.push(match)
    if (matches.length === 0) throw new UsageError(`No file matches ${path}.`)
    for (const match of matches.sort()) found.add(match)
  }
  return [...found]
}
