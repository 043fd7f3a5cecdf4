import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-compiled-'))
afterAll(() => rm(folder, { recursive: true }))

test('the compiled code of an image holds the modules of all processes', async () => {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('load-all.ts', import.meta.url))], {
    env: { NODE_COMPILE_CACHE: folder },
  })
  // One folder for each version of Node.js and user.
  const [cache = ''] = await readdir(folder)
  // An api process alone loads more than two thousand.
  expect((await readdir(join(folder, cache))).length).toBeGreaterThan(2_000)
})
