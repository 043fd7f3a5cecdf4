import { afterAll, beforeAll, expect, test } from 'vitest'
import { fuzzMedia } from './fuzz/fuzz-media.ts'
import { createInstallation, type Installation } from './kill/installation.ts'

/** Few here; `node server/test/fuzz-media.ts` sends five hundred. */
const files = Number(process.env['FUZZ_FILES'] ?? '18')

let installation: Installation

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
})

afterAll(() => installation.remove())

test('damaged files end with a sentence for people, and nothing of them stays behind', async () => {
  const { faults, states } = await fuzzMedia(installation, { files, seed: 4, say: () => {} })
  expect(faults).toEqual([])
  expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(files)
}, 300_000)
