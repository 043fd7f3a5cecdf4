import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const builtElsewhere = ['**/node_modules', '**/dist', '**/.*']

/** Returns the times at which the files were written, in milliseconds. */
const writtenAt = (pattern: string, exclude: readonly string[] = []): number[] =>
  globSync(pattern, { cwd: root, exclude, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(`${entry.parentPath}/${entry.name}`).mtimeMs)

const isStale = (): boolean => {
  const sources = writtenAt('{player,console,packages/sdk/src}/**', builtElsewhere)
  const bundles = ['player/dist/*.js', 'console/dist/index.html'].map((pattern) => writtenAt(pattern))
  return bundles.some((times) => times.length === 0 || Math.min(...times) < Math.max(...sources))
}

/**
 * Builds player and console if a source is newer than the bundles. Tests would otherwise wait for features
 * that the old bundles lack.
 */
export const buildStaleBundles = (): void => {
  if (!isStale()) return
  process.stdout.write('Building player and console, because their sources changed after the last build.\n')
  // Vitest sets `test`, which would bundle the development build of React.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build'], { cwd: root, encoding: 'utf8', env })
  if (status !== 0) throw new Error(`npm run build failed:\n${stdout}${stderr}`)
}
