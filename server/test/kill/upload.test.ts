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

// Each way of sending once, each target once and the API twice: bytes lie on disk the same whichever protocol brought them, so that what a
// kill of everything does to them need not be asked of both.
test.each([
  { how: 'in chunks', target: 'everything', chunkBytes: MiB },
  { how: 'in one PUT', target: 'supervisor', chunkBytes: null },
  { how: 'in tus chunks', target: 'api', chunkBytes: MiB, protocol: 'tus' },
  { how: 'in one PATCH of tus', target: 'api', chunkBytes: null, protocol: 'tus' },
] as const)(
  'an upload $how that kill -9 of $target cuts off goes on behind what was acknowledged',
  async ({ target, chunkBytes, ...rest }) => {
    const outcome = await uploadThroughKill(installation, projectId, {
      sizeBytes: 8 * MiB,
      killAtByte: 4.5 * MiB,
      target,
      chunkBytes,
      ...rest,
    })
    expect(outcome.acknowledgedBytes).toBe(8 * MiB)
    // The job's last acts come after the record says that it has ended.
    await waitFor(
      () => listLeftovers(installation.dataFolder),
      (left) => left.length === 0,
    )
  },
)
