import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Imports and re-exports of values from the repository. Imports of types are erased before a test runs. */
const importPattern =
  /^(?:import|export) (?!type\b)(?:[\w\s{},*$]*? from )?'(\.[^']+\.tsx?|@zoetrope\/[\w-]+)'|\bimport\('(\.[^']+\.tsx?)'\)/gm

/** Returns the files that a source imports at run time, relative to the root like `path`. */
export const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(importPattern)].map(([, fixed, dynamic]) => {
    const name = fixed ?? dynamic ?? ''
    return name.startsWith('@zoetrope/')
      ? name.replace(/^@zoetrope\/(.*)$/, 'packages/$1/src/index.ts')
      : join(dirname(path), name)
  })

export type FollowsImport = (from: string, to: string) => boolean

export interface ImportGraph {
  /** Returns the file and all files that it reaches through imports for which `follows` is true. */
  readonly reachable: (start: string, follows: FollowsImport) => Set<string>
}

/** Reads each file once, however many tests reach it. */
export const createImportGraph = (root: string): ImportGraph => {
  const known = new Map<string, readonly string[]>()
  const read = (path: string): readonly string[] => {
    const absolute = join(root, path)
    return existsSync(absolute) ? importsOf(path, readFileSync(absolute, 'utf8')) : []
  }
  const importsFrom = (path: string): readonly string[] => {
    const imports = known.get(path) ?? read(path)
    known.set(path, imports)
    return imports
  }
  return {
    reachable: (start, follows) => {
      const seen = new Set([start])
      // A set that grows while it is iterated also visits its new members.
      for (const from of seen) for (const to of importsFrom(from)) if (follows(from, to)) seen.add(to)
      return seen
    },
  }
}
