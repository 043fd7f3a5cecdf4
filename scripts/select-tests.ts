import { dirname } from 'node:path'
import type { ImportGraph } from './import-graph.ts'
import { isTestFile } from './test-projects.ts'

/** Tests that depend on files which they do not import. */
const readers: readonly { readonly files: RegExp; readonly tests: RegExp }[] = [
  { files: /^(console|packages\/sdk)\//, tests: /^server\/test\/console\// },
  { files: /^player\//, tests: /^server\/test\/([\w-]*players?|player-embed)\.test\.ts$/ },
  { files: /^(docs|README\.md)/, tests: /(guides|documentation|test\/docs|reference-pages)\.test\.ts$/ },
  { files: /^server\/migrations\//, tests: /\/db\/[\w-]+\.test\.ts$|test\/journey\.test\.ts$/ },
  {
    files: /^server\/openapi\.json$/,
    tests: /^server\/test\/(openapi|shapes)\.test\.ts$|^(packages\/sdk|cli)\//,
  },
  { files: /^(zoetrope|deploy\/|scripts\/)/, tests: /^scripts\// },
  { files: /\.tsx?$/, tests: /^server\/test\/architecture\.test\.ts$/ },
  { files: /^(server|packages\/[\w-]+)\/src\//, tests: /^server\/test\/journey\.test\.ts$/ },
]

/** Returns the folder of a source's feature: `server/src/<area>/<module>/`, or the workspace elsewhere. */
const featureOf = (path: string): string[] => {
  if (!path.includes('/src/') || dirname(path) === 'server/src') return []
  const depth = path.startsWith('server/') ? 4 : 2
  return [`${dirname(path).split('/').slice(0, depth).join('/')}/`]
}

/**
 * Returns the tests that the changed files call for: those that import them, those of the same feature, and
 * those that read them at run time. Imports of test support are not followed into the product: a test server
 * imports all of it, so each change would select nearly all tests.
 */
export const selectTests = (
  changed: readonly string[],
  tests: readonly string[],
  graph: ImportGraph,
): string[] => {
  const wanted = new Set(changed)
  const features = changed.flatMap(featureOf)
  const follows = (from: string, to: string): boolean =>
    !from.startsWith('server/test/') || from.endsWith('.test.ts') || isTestFile(to)
  const imports = (test: string): boolean =>
    [...graph.reachable(test, follows)].some((path) => wanted.has(path))
  const isReader = (test: string): boolean =>
    readers.some((rule) => rule.tests.test(test) && changed.some((path) => rule.files.test(path)))
  return tests.filter(
    (test) => features.some((feature) => test.startsWith(feature)) || isReader(test) || imports(test),
  )
}
