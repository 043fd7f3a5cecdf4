import { expect, test } from 'vitest'
import { seededRandom } from '../../../isobmff/test-support/mutations.ts'
import { converseStrangely, shortPublish } from '../../test-support/strange-sessions.ts'
import { connectPublisher } from '../../test-support/test-publisher.ts'
import { startTestServer } from '../../test-support/test-server.ts'

/** A small sample: `npm run soak` opens ten thousand. */
const sessions = 500
const atOnce = 25

test('malformed sessions end with a reason, and a valid session is accepted afterwards', async () => {
  const server = await startTestServer()
  const random = seededRandom(6)
  const counts = new Map<string, number>()
  for (let done = 0; done < sessions; done += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, () => converseStrangely(server.port, random)))
    for (let index = 0; index < atOnce; index++) {
      const { code } = await server.nextEnd()
      counts.set(code, (counts.get(code) ?? 0) + 1)
    }
  }
  expect(server.rtmp.connectionCount()).toBe(0)
  expect(server.errors).toEqual([])
  // Many sessions must reach publishing before they fail.
  expect(server.published.length).toBeGreaterThan(sessions / 3)
  await Promise.all(server.published.map(({ session }) => session.ended))
  expect([...counts.keys()].sort()).toEqual(
    expect.arrayContaining(['left', 'malformed', 'refused', 'too_large', 'unsupported']),
  )
  expect(counts.has('server_failed')).toBe(false)

  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  expect(await publisher.publish('right-key')).toMatchObject({ code: 'NetStream.Publish.Start' })
  publisher.send(shortPublish)
  await publisher.status()
  publisher.socket.end()
  expect(await server.nextEnd()).toMatchObject({ code: 'left' })
  const types = server.published.at(-1)!.messages.map(({ type }) => type)
  expect(types.filter((type) => type === 'video-frame')).toHaveLength(7)
})
