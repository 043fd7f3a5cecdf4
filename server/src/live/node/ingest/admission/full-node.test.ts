import { expect, test } from 'vitest'
import { publishCanned } from '../../test-support/canned-encoder.ts'
import { startLiveWorld } from '../../test-support/live-world.ts'

const world = await startLiveWorld({
  ZOETROPE_LIVE_MAX_STREAMS: '3',
  ZOETROPE_LIVE_MAX_STREAMS_PER_ACCOUNT: '2',
})
const { server } = world

const publish = (streamKey: string) => publishCanned(world.rtmpPort, streamKey)

const keyOfOtherAccount = async (): Promise<string> => {
  const apiKey = await server.newKey({ inNewAccount: true })
  const { body: project } = await server.call('POST', '/projects', { apiKey, body: { Name: 'Other' } })
  const { body } = await server.call('GET', `/projects/${project.Id}/live/ingest`, { apiKey })
  return String(body.StreamInConnection.StreamName)
}

test('encoders that connect at once get no more places than their account and the node have', async () => {
  const streams = await Promise.all([1, 2, 3].map(() => world.newStream()))
  const encoders = await Promise.all(streams.map(({ streamKey }) => publish(streamKey)))
  const isAccepted = ({ status }: { status: { code: string } }) => status.code === 'NetStream.Publish.Start'
  expect(encoders.filter(isAccepted)).toHaveLength(2)
  const refused = streams[encoders.findIndex((encoder) => !isAccepted(encoder))]!
  await refused.until('live.failed')
  expect(await refused.logCodes()).toContain('account_full')

  const keys = [await keyOfOtherAccount(), await keyOfOtherAccount()]
  const others = await Promise.all(keys.map(publish))
  expect(others.filter(isAccepted)).toHaveLength(1)
  for (const encoder of [...encoders, ...others]) encoder.breakOff()
})
