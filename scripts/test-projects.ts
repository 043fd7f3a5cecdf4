import { globSync } from 'node:fs'
import { createImportGraph, type ImportGraph } from './import-graph.ts'

export const projectNames = ['unit', 'api', 'browser', 'kill', 'alone'] as const
export type ProjectName = (typeof projectNames)[number]

/**
 * The support modules that make a test more than a unit test. A test belongs to the first project with a module that the test or one of
 * its helpers imports.
 */
const startedBy = {
  // Players on slow lines, and times that their pages measure: other tests on the same cores would change what these see.
  alone: ['server/test/support/slow-relay.ts', 'server/test/support/measure-playing.ts'],
  browser: ['server/test/support/browser.ts'],
  kill: [
    'server/test/support/product.ts',
    'server/test/support/program.ts',
    'server/test/kill/installation.ts',
    'server/test/cluster/machines/enclosure.ts',
  ],
  api: [
    'server/test/support/test-server.ts',
    'server/test/support/test-database.ts',
    'server/test/support/s3-server.ts',
    '/embedded-postgres.ts',
  ],
} as const

/** Whether a file serves tests only: a test, or a module in a folder `test` or `test-support`. */
export const isTestFile = (path: string): boolean => /\/test(?:-support)?\/|\.test\.ts$/.test(path)

export const projectOf = (test: string, graph: ImportGraph): ProjectName => {
  // Imports of the product's own sources are not followed: most of these lead to the database.
  const reached = [...graph.reachable(test, (from) => isTestFile(from))]
  for (const name of ['alone', 'browser', 'kill', 'api'] as const)
    if (startedBy[name].some((module) => reached.some((path) => path.endsWith(module)))) return name
  return 'unit'
}

/** Returns all test files, as paths relative to the root. */
export const findTests = (root: string): string[] =>
  globSync('{server,cli,packages,player,bench,scripts}/**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  }).sort()

/** Decides by its imports which project each test file belongs to. */
export const testProjects = (root: string): Record<ProjectName, string[]> => {
  const graph = createImportGraph(root)
  return Object.groupBy(findTests(root), (test) => projectOf(test, graph)) as Record<ProjectName, string[]>
}
