import { afterAll, beforeAll, expect, test } from 'vitest'
import { fuzzMedia } from './fuzz/fuzz-media.ts'
import { createInstallation, type Installation } from './kill/installation.ts'

/** A small sample: `node server/test/fuzz-media.ts` sends five hundred files. */
const files = Number(process.env['FUZZ_FILES'] ?? '18')

let installation: Installation

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
})

afterAll(() => installation.remove())

test('damaged files fail with a readable message and leave no data', async () => {
  const { faults, states } = await fuzzMedia(installation, { files, seed: 4, say: () => {} })
  expect(faults).toEqual([])
  expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(files)
}, 300_000)
