import { afterAll, beforeAll, expect, test } from 'vitest'
import { chunkProject, encodeChunksThroughKill, makeChunkSource } from './chunk-scenario.ts'
import { createInstallation, type Installation } from './installation.ts'

let installation: Installation

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
})

afterAll(() => installation.remove())

test('after kill -9 of one of two workers during its chunk, the other encodes only that chunk again', async () => {
  const project = await installation.call('POST', '/projects', chunkProject)
  const source = await makeChunkSource()
  const outcome = await encodeChunksThroughKill(installation, project.body.Id, { source, afterMs: 0 })
  expect(outcome).toMatchObject({ chunks: 2, repeatedChunks: 1 })
})
