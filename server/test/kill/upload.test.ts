import { afterAll, beforeAll, expect, test } from 'vitest'
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

test.each([
  { target: 'everything', chunkBytes: MiB },
  { target: 'supervisor', chunkBytes: null },
  { target: 'api', chunkBytes: MiB },
] as const)(
  'an upload cut off by kill -9 of $target goes on behind what was acknowledged ($chunkBytes)',
  async (kill) => {
    const outcome = await uploadThroughKill(installation, projectId, {
      sizeBytes: 8 * MiB,
      killAtByte: 4.5 * MiB,
      ...kill,
    })
    expect(outcome.acknowledgedBytes).toBe(8 * MiB)
    expect(await listLeftovers(installation.dataFolder)).toEqual([])
  },
)
