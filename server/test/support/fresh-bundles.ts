import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const notBundled = ['**/node_modules', '**/dist', '**/.*', '**/*.test.ts']

/** Returns the times at which the files were written, in milliseconds. */
const writtenAt = (pattern: string, exclude: readonly string[] = []): number[] =>
  globSync(pattern, { cwd: root, exclude, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(`${entry.parentPath}/${entry.name}`).mtimeMs)

/** Returns whether a source is newer than a bundle, or a bundle is missing. */
const isStale = (sources: string, bundles: readonly string[]): boolean => {
  const newest = Math.max(...writtenAt(sources, notBundled))
  const times = bundles.map((pattern) => writtenAt(pattern))
  return times.some((found) => found.length === 0 || Math.min(...found) < newest)
}

const build = (what: string, workspaces: readonly string[]): void => {
  process.stdout.write(`Building ${what}, because its sources changed after the last build.\n`)
  // Vitest sets `test`, which would bundle the development build of React.
  const env = { ...process.env, NODE_ENV: 'production' }
  const words = ['run', 'build', ...workspaces.flatMap((name) => ['--workspace', name])]
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd: root, encoding: 'utf8', env })
  if (status !== 0) throw new Error(`npm run build failed:\n${stdout}${stderr}`)
}

/** Builds what is older than its sources. Tests would otherwise wait for features that the old bundles lack. */
export const buildStaleBundles = (which: 'server' | 'pages'): void => {
  if (which === 'server' && isStale('{server,packages/*}/{src/**,*.ts}', ['server/dist/main.js']))
    build('the server', ['server'])
  if (
    which === 'pages' &&
    isStale('{player,console,packages/sdk/src}/**', ['player/dist/*.js', 'console/dist/index.html'])
  )
    build('the pages', ['player', 'console'])
}
