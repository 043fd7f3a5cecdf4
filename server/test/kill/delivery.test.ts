import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverThroughKill } from './delivery-scenario.ts'
import { createInstallation, type Installation } from './installation.ts'

let installation: Installation
let projectId: number

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
  projectId = (await installation.call('POST', '/projects', { Name: 'Deliveries' })).body.Id
})

afterAll(() => installation.remove())

test.each(['worker', 'everything'] as const)(
  'after kill -9 of %s, every event of an acknowledged change arrives, in order per file',
  async (target) => {
    const outcome = await deliverThroughKill(installation, projectId, {
      eventCount: 200,
      killAtChange: 100,
      target,
    })
    expect(outcome.events).toBeGreaterThanOrEqual(200)
  },
)
