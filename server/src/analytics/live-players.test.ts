import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { nodeTokenOf } from '../live/control/nodes/node-token.ts'
import { createViewerKeys } from '../playback/live/edge-viewers.ts'
import { nodeTokenHeader, sharedHeader } from '../playback/live/pass-on.ts'
import { makeLiveStream, type TestLiveStream } from '../playback/test-support/live-stream.ts'

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

interface Batch {
  readonly url: string | undefined
  readonly players: readonly (readonly unknown[])[]
}

describe.each(['on', 'off'])('reports of players of a live stream, with ZOETROPE_ANALYTICS=%s', (mode) => {
  let server: TestServer
  let batches: Batch[] = []
  const node = createServer((incoming, response) => {
    const { url, headers } = incoming
    void json(incoming).then((players) => {
      const token = nodeTokenOf(server.services.secrets)
      if (headers[nodeTokenHeader] === token && headers[sharedHeader] === '1')
        batches.push({ url, players: players as Batch['players'] })
      response.writeHead(204).end()
    })
  })
  beforeAll(async () => {
    server = await startTestServer({ environment: { ZOETROPE_ANALYTICS: mode } })
    node.listen(0, '127.0.0.1')
    await once(node, 'listening')
  })
  afterAll(async () => {
    await server.stop()
    node.closeAllConnections()
    node.close()
  })

  const newStream = async (project: object = {}): Promise<TestLiveStream> => {
    const stream = await makeLiveStream(server, project)
    const id = randomUUID()
    const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
    await server.services.database.kysely
      .insertInto('live_nodes')
      .values({ id, url, public_url: null, disk: id })
      .execute()
    await stream.write({ node_id: id, state: 'online' })
    return stream
  }
  const post = (path: string, lines: readonly string[], headers: Record<string, string> = {}) =>
    request(`${server.url}${path}/cmcd`, 'POST', {
      body: lines.join('\n'),
      headers: { 'content-type': 'application/cmcd', 'user-agent': userAgent, ...headers },
    })
  const line = (sid: string, sn: number, sta: string, more = '') =>
    `e=ps,${more}sid="${sid}",sn=${sn},sta=${sta},ts=${Date.now()},v=2`
  const passedOn = async ({ playoutId }: TestLiveStream, count: number) => {
    await expect.poll(() => batches.reduce((sum, { players }) => sum + players.length, 0)).toBe(count)
    const keyOf = createViewerKeys(nodeTokenOf(server.services.secrets))
    const taken = batches
    batches = []
    for (const { url } of taken) expect(url).toBe(`/l/${playoutId}/beacon`)
    return taken
      .flatMap(({ players }) => players)
      .map(([key, ...rest]) => {
        expect(key).toBe(keyOf('127.0.0.1', userAgent))
        return rest
      })
      .toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1))
  }

  test('reach its live node within a second: who plays, and with what latency', async () => {
    const stream = await newStream()
    const path = `/l/${stream.playoutId}`
    const started = [
      line('aaaa', 0, 's'),
      line('aaaa', 2, 'p', 'ltc=1500,'),
      line('aaaa', 1, 'r', 'ltc=9000,'),
    ]
    expect((await post(path, started)).status).toBe(204)
    expect((await post(path, [line('bbbb', 5, 'a', 'ltc=700,')])).status).toBe(204)
    expect((await post(path, [`e=t,sid="cccc",ts=${Date.now()},v=2`])).status).toBe(204)
    expect(await passedOn(stream, 3)).toEqual([
      ['aaaa', 1_500, 1],
      ['bbbb', 700, 0],
      ['cccc', null, 1],
    ])
    expect((await post(path, [line('aaaa', 3, 'q')])).status).toBe(204)
    expect(await passedOn(stream, 1)).toEqual([['aaaa', null, 0]])
  })

  test('do not reach it from previews, opted-out browsers, refused requests, and streams without a node', async () => {
    const [stream, signed, offline] = [
      await newStream(),
      await newStream({ TokenSecurity: true }),
      await makeLiveStream(server),
    ]
    const preview = server.services.tokens.issuePreview(stream.playoutId, new Date(Date.now() + 60_000))
    const playing = [line('aaaa', 1, 'p')]
    expect((await post(`/s/${preview}/l/${stream.playoutId}`, playing)).status).toBe(204)
    expect((await post(`/l/${stream.playoutId}`, playing, { dnt: '1' })).status).toBe(204)
    expect((await post(`/l/${stream.playoutId}`, ['nothing'])).status).toBe(400)
    expect((await post(`/l/${signed.playoutId}`, playing)).status).toBe(403)
    expect((await post(`/l/${offline.playoutId}`, playing)).status).toBe(204)
    expect((await post(`/l/${stream.playoutId}`, [line('zzzz', 1, 'p')])).status).toBe(204)
    expect(await passedOn(stream, 1)).toEqual([['zzzz', null, 1]])
  })
})
