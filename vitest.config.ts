import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { projectNames, testProjects } from './scripts/test-projects.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const files = testProjects(root)

/** Options of each project. `maxWorkers` is not among them: there it would override `--maxWorkers` of the command line. */
const shared = {
  globalSetup: ['./server/test/support/global-setup.ts'],
  setupFiles: ['./server/test/support/write-compile-cache.ts'],
  // Real ffmpeg and PostgreSQL share a two-core machine. These limits end a hang; they do not measure speed.
  testTimeout: 300_000,
  // The first test file of a run creates the shared fixtures.
  hookTimeout: 300_000,
  // The default of one second is too short while other programs use the cores.
  expect: { poll: { timeout: 120_000 } },
  // Node loads the sources as it does in production, and each worker loads them once for all of its files: a third less CPU. No test may
  // leave a module changed behind itself.
  isolate: false,
  experimental: { viteModuleRunner: false },
}

/** One file at a time, when nothing else runs. */
const afterAllOthers = { sequence: { groupOrder: 1 }, maxWorkers: 1 }

export default defineConfig({
  test: {
    projects: projectNames.map((name) => ({
      test: { name, include: files[name], ...shared, ...(name === 'alone' && afterAllOthers) },
    })),
    // More than the cores, because tests also wait for jobs, browsers and processes.
    maxWorkers: 3,
  },
})
