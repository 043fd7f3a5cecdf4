import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  encodeProject,
  encodeThroughKill,
  makeEncodeSource,
  untilEncoding,
  type EncodeSource,
} from './encode-scenario.ts'
import { createInstallation, type Installation } from './installation.ts'

let installation: Installation
let projectId: number
let source: EncodeSource

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
  projectId = (await installation.call('POST', '/projects', encodeProject)).body.Id
  // The first rung of a shorter source may finish before the test sees it.
  source = await makeEncodeSource(40)
})

afterAll(() => installation.remove())

test.each([
  { step: 'first rung', target: 'everything' },
  { step: 'ladder', target: 'worker' },
] as const)(
  'after kill -9 of $target in the $step, the file finishes by itself and leaves nothing',
  async ({ step, target }) => {
    const outcome = await encodeThroughKill(installation, projectId, {
      source,
      target,
      until: (fileId) => untilEncoding(installation, fileId, step),
    })
    // Far below the missed heartbeats after which another machine would take over the job.
    expect(outcome.encoderAfterMs).toBeLessThan(20_000)
  },
)
