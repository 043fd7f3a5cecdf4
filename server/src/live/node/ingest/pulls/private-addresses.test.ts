import { expect, test } from 'vitest'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import { startSourceWorld } from '../sources/test-support/test-sources.ts'

const world = await startSourceWorld([])

test.each([
  ['rtmp-pull', 'rtmp://127.0.0.1/live/key'],
  ['rtmp-pull', 'rtmps://localhost/live/key'],
  ['srt-pull', 'srt://10.0.0.7:9000?streamid=x'],
  ['hls-pull', 'http://169.254.169.254/latest/main.m3u8'],
] as const)('%s rejects the private address %s', async (kind, uri) => {
  const stream = await world.newStream(kind, uri)
  await world.sources.sync()
  const lines = await waitFor(stream.logLines, (all) => all.length > 0)
  expect(lines).toMatchObject([
    { code: 'pull_failed', message: expect.stringContaining('not on the public internet') },
  ])
  await stream.change({ is_enabled: false })
  await world.sources.sync()
})
