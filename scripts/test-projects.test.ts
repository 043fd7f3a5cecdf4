import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createImportGraph, importsOf } from './import-graph.ts'
import { selectTests } from './select-tests.ts'
import { findTests, projectOf, testProjects } from './test-projects.ts'

const files: Readonly<Record<string, string>> = {
  'packages/hls/src/index.ts': "export { write } from './write.ts'",
  'packages/hls/src/write.ts': '',
  'packages/hls/src/write.test.ts': "import { write } from './write.ts'",
  'server/src/app/api.ts': "import '../library/files/store.ts'\nimport '../platform/db/embedded-postgres.ts'",
  'server/src/platform/db/embedded-postgres.ts': '',
  'server/src/library/files/store.ts': "import { write } from '@zoetrope/hls'",
  'server/src/library/files/routes.test.ts': "import { world } from './test-support/world.ts'",
  'server/src/library/files/test-support/world.ts':
    "import {\n  request,\n  startTestServer,\n} from '../../../../test/support/test-server.ts'",
  'server/src/library/catalog/labels.ts': "import '../files/store.ts'",
  'server/src/library/catalog/labels.test.ts':
    "import './labels.ts'\nimport type { TestServer } from '../../../test/support/test-server.ts'",
  'server/test/support/test-server.ts': "import '../../src/app/api.ts'",
  'server/test/support/browser.ts': '',
  'server/test/support/product.ts': '',
  'server/test/support/slow-relay.ts': '',
  'server/test/console/start.test.ts': "import '../support/browser.ts'\nimport '../support/test-server.ts'",
  'server/test/slow-line.test.ts': "import './support/browser.ts'\nimport './support/slow-relay.ts'",
  'server/test/kill/started.ts': "import '../support/product.ts'",
  'server/test/kill/upload.test.ts': "const started = await import('./started.ts')",
}

let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'zoetrope-graph-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

it('finds imports over several lines, re-exports, dynamic imports and packages, but no types', () => {
  const text = `import {\n  a,\n} from './a.ts'
import type {
  T,
} from './types.ts'
export { b } from '../b.ts'
import '@zoetrope/ll-hls'
import fs from 'node:fs'
const c = await import('./c.ts')`
  expect(importsOf('server/src/x.ts', text)).toEqual([
    'server/src/a.ts',
    'server/b.ts',
    'packages/ll-hls/src/index.ts',
    'server/src/c.ts',
  ])
})

it('assigns each test to a project by what the test and its helpers start', () => {
  expect(testProjects(root)).toEqual({
    unit: ['packages/hls/src/write.test.ts', 'server/src/library/catalog/labels.test.ts'],
    api: ['server/src/library/files/routes.test.ts'],
    browser: ['server/test/console/start.test.ts'],
    kill: ['server/test/kill/upload.test.ts'],
    alone: ['server/test/slow-line.test.ts'],
  })
})

it.each([
  [
    'packages/hls/src/write.ts',
    ['packages/hls/src/write.test.ts', 'server/src/library/catalog/labels.test.ts'],
  ],
  [
    'server/src/library/files/store.ts',
    ['server/src/library/catalog/labels.test.ts', 'server/src/library/files/routes.test.ts'],
  ],
  ['server/src/library/catalog/labels.ts', ['server/src/library/catalog/labels.test.ts']],
  ['server/test/kill/started.ts', ['server/test/kill/upload.test.ts']],
  ['console/src/start.tsx', ['server/test/console/start.test.ts']],
  ['CHANGELOG.md', []],
])('selects the tests for a change of %s', (path, tests) => {
  expect(selectTests([path], findTests(root), createImportGraph(root))).toEqual(tests)
})

const repository = fileURLToPath(new URL('..', import.meta.url))

it.each([
  ['packages/hls/src/media-playlist.test.ts', 'unit'],
  ['server/test/journey.test.ts', 'api'],
  ['server/test/player.test.ts', 'browser'],
  ['server/test/kill/upload.test.ts', 'kill'],
  ['server/test/cold-players.test.ts', 'alone'],
])('assigns %s of this repository to the project %s', (test, project) => {
  expect(projectOf(test, createImportGraph(repository))).toBe(project)
})
