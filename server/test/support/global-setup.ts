import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { compileCache } from './compile-cache.ts'
import { makeRunFolder } from './run-folder.ts'
import type { RunPostgres } from './run-postgres.ts'

let folder: Promise<string> | null = null
let postgres: Promise<RunPostgres> | null = null
let stopped: Promise<void> | null = null

const startPostgres = async (runFolder: string): Promise<RunPostgres> => {
  const { startRunPostgres } = await import('./run-postgres.ts')
  return startRunPostgres(runFolder)
}

const freshenBundles = async (which: 'server' | 'pages'): Promise<void> => {
  const { buildStaleBundles } = await import('./fresh-bundles.ts')
  buildStaleBundles(which)
}

const stop = async (runFolder: string): Promise<void> => {
  await (await postgres)?.stop()
  await rm(runFolder, { recursive: true, force: true })
}

/** Runs once for each project of a run. The projects share one folder, and all but `unit` share one PostgreSQL. */
const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const runFolder = await (folder ??= makeRunFolder())
  // Workers inherit this folder, so leftovers of tests are deleted with the run.
  process.env['TMPDIR'] = runFolder
  process.env['TEST_RUN_FOLDER'] = runFolder
  process.env['NODE_COMPILE_CACHE'] = compileCache
  const stopOnce = () => (stopped ??= stop(runFolder))
  if (project.name === 'unit') return stopOnce
  project.provide('postgres', (await (postgres ??= startPostgres(runFolder))).connection)
  await freshenBundles('server')
  if (project.name === 'browser') await freshenBundles('pages')
  return stopOnce
}

export default setup
