import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { projectNames, testProjects } from './scripts/test-projects.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const files = testProjects(root)

/** Options of each project. `maxWorkers` is not among them: there it would override `--maxWorkers` of the command line. */
const shared = {
  globalSetup: ['./server/test/support/global-setup.ts'],
  // Real ffmpeg and PostgreSQL on a shared two-core machine: limits are there to end a hang, not to measure speed.
  testTimeout: 60_000,
  // The first of a run makes what all others share.
  hookTimeout: 120_000,
  // The second that is the default passes while somebody else has the cores.
  expect: { poll: { timeout: 20_000 } },
  // Node loads the sources as it does in production, and each worker loads them once for all of its files: a third less CPU. No test may
  // leave a module changed behind itself.
  isolate: false,
  experimental: { viteModuleRunner: false },
}

export default defineConfig({
  test: {
    projects: projectNames.map((name) => ({ test: { name, include: files[name], ...shared } })),
    // More than the cores: tests also wait, for jobs, browsers and processes that start.
    maxWorkers: 3,
  },
})
