import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { createInstallation, type Installation } from './installation.ts'
import { listLeftovers } from './media-inventory.ts'
import { uploadThroughKill } from './upload-scenario.ts'

const MiB = 1024 * 1024

let installation: Installation
let projectId: number

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
  projectId = (await installation.call('POST', '/projects', { Name: 'Uploads' })).body.Id
})

afterAll(() => installation.remove())

// Covers each way of sending once, each target once and the API twice. Bytes on disk are the same for both
// protocols, so a kill of everything needs only one of them.
test.each([
  { how: 'in chunks', target: 'everything', chunkBytes: MiB },
  { how: 'in one PUT', target: 'supervisor', chunkBytes: null },
  { how: 'in tus chunks', target: 'api', chunkBytes: MiB, protocol: 'tus' },
  { how: 'in one PATCH of tus', target: 'api', chunkBytes: null, protocol: 'tus' },
] as const)(
  'an upload $how interrupted by kill -9 of $target resumes after the acknowledged bytes',
  async ({ target, chunkBytes, ...rest }) => {
    const outcome = await uploadThroughKill(installation, projectId, {
      sizeBytes: 8 * MiB,
      killAtByte: 4.5 * MiB,
      target,
      chunkBytes,
      ...rest,
    })
    expect(outcome.acknowledgedBytes).toBe(8 * MiB)
    // The job cleans up after the record has ended.
    await waitFor(
      () => listLeftovers(installation.dataFolder),
      (left) => left.length === 0,
    )
  },
)
