import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { get as httpGet } from 'node:http'
import { parseMediaPlaylist, parseMultivariantPlaylist } from '@zoetrope/hls'
import { beginAt, restoreWindow, type LivePackagerOptions } from '@zoetrope/ll-hls'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { MemoryStore } from '../../../../../packages/ll-hls/test-support/memory-store.ts'
import { PlaylistRules } from '../../../../../packages/ll-hls/test-support/playlist-rules.ts'
import { request } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { rawRequest } from '../../../platform/http/test-support/raw-request.ts'
import { createAdmittedRedirects } from '../../../playback/live/admitted-redirect.ts'
import { createViewerKeys } from '../../../playback/live/edge-viewers.ts'
import type { NamedPlayer } from '../../../playback/live/live-players.ts'
import { nodeTokenHeader, sharedHeader } from '../../../playback/live/pass-on.ts'
import { createAskedForReader } from './asked-for.ts'
import {
  nodeToken,
  ownEpoch,
  ownNodeId,
  publishedFacts,
  startMs,
  startWatchedStream,
  type WatchedStream,
} from './test-support/watched-stream.ts'

let stream: WatchedStream

beforeEach(async () => {
  stream = await startWatchedStream()
  stream.publish(7)
})

afterEach(() => stream.stop())

const get = (name: string, headers: Record<string, string> = {}) =>
  request(stream.url + name, 'GET', { headers })

/** Headers with which an api node forwards the request of a viewer. */
const passedOnFor = (address: string) => ({ 'X-Forwarded-For': address, [nodeTokenHeader]: nodeToken })

const bytesOf = async (name: string, headers: Record<string, string> = {}) =>
  Buffer.from(await (await fetch(stream.url + name, { headers })).arrayBuffer())

const blocked = (count: number) =>
  waitFor(
    async () => stream.delivery.waiterCount(),
    (waiting) => waiting === count,
  )

/** Sends the path unchanged, which fetch would normalize, and at a tenth of the cost of fetch. */
const getRaw = (path: string) =>
  rawRequest(stream.origin, `GET ${path} HTTP/1.1\r\nHost: live\r\nConnection: close\r\n\r\n`)

const newest = () => stream.packager.rendition('video')!

const nextPart = () => ({ number: newest().currentSegment.number, index: newest().openParts.length })

test('both multivariant playlists list the media playlists of their kind with relative URIs', async () => {
  for (const [name, media] of [
    ['main.m3u8', ['video/standard.m3u8', 'audio/standard.m3u8']],
    ['ll.m3u8', ['av/live.m3u8']],
  ] as const) {
    const { status, headers, body } = await get(name)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/vnd.apple.mpegurl')
    expect(headers.get('cache-control')).toBe('public, max-age=1')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const { variants, renditions } = parseMultivariantPlaylist(body)
    expect([...variants, ...renditions].map(({ uri }) => uri)).toEqual(media)
  }
})

test('the manifest and all playlist URIs lead to resources with immutable caching', async () => {
  expect((await get('main.mpd')).headers.get('content-type')).toBe('application/dash+xml')
  for (const [track, type] of [
    ['video', 'video/mp4'],
    ['audio', 'audio/mp4'],
    ['av', 'video/mp4'],
  ] as const) {
    const { segments, openParts = [] } = parseMediaPlaylist((await get(`${track}/live.m3u8`)).body)
    const uris = [...segments, ...openParts, ...segments.flatMap(({ parts = [] }) => parts)].map(
      ({ uri }) => uri,
    )
    expect(uris.length).toBeGreaterThan(10)
    for (const uri of ['init-1.mp4', ...uris]) {
      const { status, headers } = await get(`${track}/${uri}`)
      expect(status, uri).toBe(200)
      expect(headers.get('cache-control')).toMatch(/max-age=31536000, immutable/)
      expect(headers.get('content-type')).toBe(type)
    }
  }
})

/** Everything that the playlists of a stream name, by its path. */
const loadAll = async ({ url }: WatchedStream): Promise<Map<string, Buffer>> => {
  const names = new Set<string>()
  for (const track of ['video', 'audio', 'av']) {
    const text = await (await fetch(`${url}${track}/live.m3u8`)).text()
    const { initUri, segments, openParts = [] } = parseMediaPlaylist(text)
    const media = segments.flatMap((segment) => [segment, ...(segment.parts ?? [])])
    const uris = [...media, ...openParts].filter(({ isGap }) => isGap !== true).map(({ uri }) => uri)
    const inits = [initUri, ...segments.map((segment) => segment.initUri)]
    for (const uri of [...uris, ...inits]) if (uri !== undefined) names.add(`${track}/${uri}`)
  }
  const loaded = new Map<string, Buffer>()
  for (const name of names) {
    const response = await fetch(`${url}${name}`)
    expect([name, response.status]).toEqual([name, 200])
    loaded.set(name, Buffer.from(await response.arrayBuffer()))
  }
  return loaded
}

test('no name has two contents while an owner that is cut off continues beside the next one', async () => {
  const playoutId = randomUUID()
  const start = async (packaging: Partial<LivePackagerOptions>) => {
    const started = await startWatchedStream(
      {},
      { playoutId, packaging: { windowSeconds: 600, ...packaging } },
    )
    onTestFinished(started.stop)
    return started
  }
  const store = new MemoryStore()
  const former = await start({ store, resume: beginAt(startMs, 1) })
  former.publish(12)
  const left = store.copy()
  const next = await start({ store: left, resume: restoreWindow(left.left(), 2)! })
  const known = await loadAll(former)
  former.publish(10)
  next.publish(10)
  const [ofFormer, ofNext] = [await loadAll(former), await loadAll(next)]
  for (const [name, bytes] of ofNext) expect((ofFormer.get(name) ?? bytes).equals(bytes), name).toBe(true)
  // What the former owner named before the takeover keeps its name.
  const kept = [...ofNext.keys()].filter((name) => known.has(name))
  expect(kept).toContain(`video/init-${startMs / 1_000 + 1}-1.mp4`)
  expect(kept.filter((name) => name.endsWith('-1.m4s')).length).toBeGreaterThan(10)
  expect([...ofNext.keys()].filter((name) => /-2\.(m4s|mp4|\d+\.m4s)$/.test(name)).length).toBeGreaterThan(20)
  // Neither node serves the media of the other under its name.
  const [owns] = [...ofNext.keys()].filter((name) => name.endsWith('-2.m4s'))
  expect((await fetch(`${former.url}${owns}`)).status).toBe(404)
  const manifest = await (await fetch(`${next.url}main.mpd`)).text()
  expect(manifest).toContain('media="video/$Number$-1.m4s"')
  expect(manifest).toContain('media="video/$Number$-2.m4s"')
})

test('the clock of the manifest is on the same host and is not cached', async () => {
  const { body: manifest } = await get('main.mpd')
  const name = /<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="([^"]*)"/.exec(manifest)![1]!
  const { status, headers, body } = await get(name)
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(new Date(body).toISOString()).toBe(body)
})

test('a segment is the concatenation of its parts', async () => {
  const [segment] = parseMediaPlaylist((await get('video/live.m3u8')).body).segments.slice(-1)
  const parts = await Promise.all(segment!.parts!.map(({ uri }) => bytesOf(`video/${uri}`)))
  expect(await bytesOf(`video/${segment!.uri}`)).toEqual(Buffer.concat(parts))
})

test('a muxed part starts with the video bytes, and a muxed segment holds video and audio', async () => {
  const { segments } = parseMediaPlaylist((await get('av/live.m3u8')).body)
  const { uri, parts } = segments.at(-1)!
  for (const part of parts!) {
    const pictures = await bytesOf(`video/${part.uri}`)
    const both = await bytesOf(`av/${part.uri}`)
    expect(both.subarray(0, pictures.length)).toEqual(pictures)
    expect(both.length).toBeGreaterThan(pictures.length)
    const range = { Range: `bytes=${pictures.length - 4}-${pictures.length + 3}` }
    expect(await bytesOf(`av/${part.uri}`, range)).toEqual(
      both.subarray(pictures.length - 4, pictures.length + 4),
    )
  }
  expect(await bytesOf(`av/${uri}`)).toEqual(
    Buffer.concat([await bytesOf(`video/${uri}`), await bytesOf(`audio/${uri}`)]),
  )
})

test('the standard playlist lists the same segments without parts', async () => {
  const standard = parseMediaPlaylist((await get('video/standard.m3u8')).body)
  const lowLatency = parseMediaPlaylist((await get('video/live.m3u8')).body)
  expect(standard.segments.map(({ uri }) => uri)).toEqual(lowLatency.segments.map(({ uri }) => uri))
  expect(standard.segments.flatMap(({ parts = [] }) => parts)).toEqual([])
  expect(standard.preloadHintUri).toBeUndefined()
  expect(standard.serverControl?.holdBackSeconds).toBe(3 * standard.targetDurationSeconds)
})

describe('blocking reload', () => {
  test('answers with the requested part as soon as it exists', async () => {
    const { number, index } = nextPart()
    const answer = get(`video/live.m3u8?_HLS_msn=${number}&_HLS_part=${index}`)
    await blocked(1)
    stream.publish(0.4)
    const playlist = parseMediaPlaylist((await answer).body)
    expect(playlist.openParts?.map(({ uri }) => uri)).toContain(`${number}.${index}.m4s`)
    expect(stream.delivery.waiterCount()).toBe(0)
  })

  test('never shows a state between a part and the end of its segment', async () => {
    const rules = new PlaylistRules()
    for (let turn = 0; turn < 20; turn++) {
      const { number, index } = nextPart()
      const answer = get(`video/live.m3u8?_HLS_msn=${number}&_HLS_part=${index}`)
      await blocked(1)
      stream.publish(0.334)
      rules.check((await answer).body)
    }
    expect(rules.texts.size).toBe(20)
  })

  test('waits for a whole segment of a standard playlist', async () => {
    const { number } = newest().currentSegment
    const answer = get(`video/standard.m3u8?_HLS_msn=${number}`)
    await blocked(1)
    stream.publish(2.5)
    expect(parseMediaPlaylist((await answer).body).segments.at(-1)?.uri).toBe(`${number}.m4s`)
  })

  test('ignores _HLS_part for standard playlists, so that equal requests share one answer', () => {
    const read = createAskedForReader()
    expect(read('video/standard.m3u8?_HLS_msn=7&_HLS_part=2')).toEqual(read('video/standard.m3u8?_HLS_msn=7'))
    expect(read('video/live.m3u8?_HLS_msn=7&_HLS_part=2')).not.toEqual(read('video/live.m3u8?_HLS_msn=7'))
  })

  test('answers at once when the content exists, with a delta update on request', async () => {
    stream.publish(16)
    const { number } = newest().currentSegment
    const { body } = await get(`video/live.m3u8?_HLS_msn=${number - 1}&_HLS_skip=YES`)
    expect(body).toContain('#EXT-X-SKIP:')
  })

  test('sends a whole playlist to a player that does not know what a delta update leaves out', async () => {
    stream.publish(16)
    const [first] = newest().segments
    const { body } = await get(`video/live.m3u8?_HLS_msn=${first!.number}&_HLS_skip=YES`)
    expect(parseMediaPlaylist(body).segments[0]?.uri).toBe(`${first!.number}.m4s`)
  })

  test.each([
    ['_HLS_part=1', /_HLS_msn/],
    ['_HLS_msn=-1', /whole number/],
    ['_HLS_msn=1e3', /whole number/],
    ['_HLS_msn=%00', /whole number/],
    ['_HLS_msn=99999999999999999999', /whole number/],
    ['_HLS_msn=1000', /ahead/],
  ])('rejects %s', async (query, reason) => {
    const answer = await get(`video/live.m3u8?${query}`)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toMatch(reason)
  })

  test('gives up with 503 after three target durations', async () => {
    const { number } = newest().currentSegment
    const answer = get(`video/live.m3u8?_HLS_msn=${number}`)
    await blocked(1)
    stream.nowMs += 3 * stream.packager.targets!.targetDurationSeconds * 1_000
    const { status, headers } = await answer
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('1')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('is answered when the broadcast ends', async () => {
    const { number } = newest().currentSegment
    const answer = get(`video/live.m3u8?_HLS_msn=${number + 1}`)
    await blocked(1)
    stream.end()
    expect(parseMediaPlaylist((await answer).body).hasEnded).toBe(true)
  })

  test('is dropped when the viewer disconnects', async () => {
    const leaving = new AbortController()
    const { number } = newest().currentSegment
    const gone = fetch(`${stream.url}video/live.m3u8?_HLS_msn=${number}`, { signal: leaving.signal })
    gone.catch(() => {})
    await blocked(1)
    leaving.abort()
    await expect(gone).rejects.toThrow()
    await blocked(0)
  })

  test('rejects a request beyond the limit of the stream', async () => {
    await stream.stop()
    stream = await startWatchedStream({ perStream: 2, total: 10 })
    stream.publish(7)
    const next = `video/live.m3u8?_HLS_msn=${newest().currentSegment.number}`
    const waiting = [get(next), get(next)]
    await blocked(2)
    const refused = await get(next)
    expectProblem(refused, 'unavailable')
    expect(refused.headers.get('retry-after')).toBe('1')
    stream.publish(2.5)
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200])
  })

  test('rejects a request beyond the limit of a known client address', async () => {
    await stream.stop()
    stream = await startWatchedStream({ perAddress: 2 })
    stream.publish(7)
    const next = `video/live.m3u8?_HLS_msn=${newest().currentSegment.number}`
    const greedy = passedOnFor('192.0.2.1')
    const waiting = [get(next, greedy), get(next, greedy), get(next, passedOnFor('192.0.2.2')), get(next)]
    await blocked(4)
    expectProblem(await get(next, greedy), 'unavailable')
    waiting.push(get(next), get(next))
    await blocked(6)
    stream.publish(2.5)
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]))
    const again = get(`video/live.m3u8?_HLS_msn=${newest().currentSegment.number}`, greedy)
    await blocked(1)
    stream.publish(2.5)
    expect((await again).status).toBe(200)
  })

  test('wakes a thousand viewers with the same bytes', async () => {
    const { number, index } = nextPart()
    const path = `/l/${stream.playoutId}/video/live.m3u8?_HLS_msn=${number}&_HLS_part=${index}`
    const answers = Array.from({ length: 1_000 }, () => getRaw(path))
    await blocked(1_000)
    stream.publish(0.4)
    expect(new Set((await Promise.all(answers)).map((answer) => answer?.body as string)).size).toBe(1)
  })
})

describe('a part', () => {
  test('blocks the request when it is the preload hint', async () => {
    const { preloadHintUri } = parseMediaPlaylist((await get('video/live.m3u8')).body)
    const answer = bytesOf(`video/${preloadHintUri}`)
    await blocked(1)
    stream.publish(0.4)
    const bytes = await answer
    expect(bytes.subarray(4, 8).toString()).toMatch(/styp|moof/)
    expect(await bytesOf(`video/${preloadHintUri}`)).toEqual(bytes)
  })

  test('returns 404 with no-store when no playlist announces it', async () => {
    const { number, index } = nextPart()
    for (const name of [
      `${number}.${index + 1}.m4s`,
      `${number}.m4s`,
      `${number + 1}.0.m4s`,
      '0.99.m4s',
      '00.0.m4s',
      'init-2.mp4',
    ]) {
      const answer = await get(`video/${name}`)
      expectProblem(answer, 'not_found')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    expectProblem(await get('v720/live.m3u8'), 'not_found')
  })

  test('supports range requests, and HEAD returns its size', async () => {
    const whole = await bytesOf('video/0.0.m4s')
    const part = await fetch(`${stream.url}video/0.0.m4s`, { headers: { Range: 'bytes=4-7' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 4-7/${whole.length}`)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(4, 8))
    expect(await bytesOf('video/0.m4s', { Range: 'bytes=4-7' })).toEqual(whole.subarray(4, 8))
    const beyond = await get('video/0.0.m4s', { Range: `bytes=${whole.length}-` })
    expectProblem(beyond, 'range_not_satisfiable')
    expect(beyond.headers.get('content-range')).toBe(`bytes */${whole.length}`)
    const head = await fetch(`${stream.url}video/0.0.m4s`, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(whole.length))
    expect(await head.text()).toBe('')
  })
})

describe('a segment on disk', () => {
  const moveToDisk = (read: () => Promise<readonly Buffer[]>) => {
    const rendition = newest()
    const segment = rendition.segment(0)!
    vi.spyOn(rendition, 'segment').mockReturnValue({ ...segment, parts: [] })
    return vi.spyOn(rendition, 'read').mockImplementation(read)
  }

  test('is read once for viewers at the same position, and supports range requests', async () => {
    const whole = await bytesOf('video/0.m4s')
    const read = moveToDisk(async () => [whole])
    expect(await Promise.all([bytesOf('video/0.m4s'), bytesOf('video/0.m4s')])).toEqual([whole, whole])
    expect(await bytesOf('video/0.m4s', { Range: 'bytes=-9' })).toEqual(whole.subarray(-9))
    expect(read).toHaveBeenCalledTimes(1)
  })

  test('returns 404 with no-store when it has just been dropped', async () => {
    moveToDisk(async () => Promise.reject(new Error('The segment has left the window.')))
    const answer = await get('video/0.m4s')
    expectProblem(answer, 'not_found')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

test('range requests span the parts of a segment', async () => {
  const parts = newest()
    .segment(0)!
    .parts.map(({ data }) => data)
  const whole = Buffer.concat(parts)
  const edge = parts[0]!.length
  for (const [start, end] of [
    [0, whole.length],
    [edge - 1, edge + 1],
    [edge, edge + parts[1]!.length],
    [whole.length - 1, whole.length],
  ] as const)
    expect(await bytesOf('video/0.m4s', { Range: `bytes=${start}-${end - 1}` })).toEqual(
      whole.subarray(start, end),
    )
})

test('an api node checks the links of viewers who share a request; other clients cannot skip the check', async () => {
  stream.facts = { ...publishedFacts, needsToken: true }
  const headers = { ...passedOnFor('192.0.2.7'), [sharedHeader]: '1' }
  expect((await get('main.m3u8', headers)).status).toBe(200)
  expect((await get('main.m3u8', { [sharedHeader]: '1' })).status).toBe(403)
  expect((await get('main.m3u8', passedOnFor('192.0.2.7'))).status).toBe(403)
})

describe('a stream on another node', () => {
  const at = (publicUrl: string | null) => ({
    ...publishedFacts,
    node: { id: 'another', url: 'http://192.0.2.1', publicUrl },
  })
  const path = () => `/l/${stream.playoutId}/video/live.m3u8?_HLS_msn=1`
  const follow = (headers: Record<string, string> = {}) =>
    fetch(stream.origin + path(), { redirect: 'manual', headers })

  test('is redirected to a public URL of that node', async () => {
    stream.facts = at('https://two.example/')
    const { status, headers } = await follow()
    expect(status).toBe(307)
    expect(headers.get('location')).toBe(`https://two.example${path()}`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  describe.each([
    ['no public URL', null],
    ['the public URL of a balancer before both nodes', 'https://balancer.example'],
  ])('that has %s,', (_name, publicUrl) => {
    const startOwner = async () => {
      const owner = await startWatchedStream({}, { nodeId: 'owner', playoutId: stream.playoutId })
      onTestFinished(owner.stop)
      owner.facts = { ...publishedFacts, node: { id: 'owner', url: owner.origin, publicUrl } }
      owner.publish(5)
      stream.facts = owner.facts
      return owner
    }

    test('is served with one request to that node for all viewers', async () => {
      const owner = await startOwner()
      const { number } = owner.packager.rendition('video')!.currentSegment
      const waiting = Array.from({ length: 50 }, () => get(`video/live.m3u8?_HLS_msn=${number}`))
      await waitFor(
        async () => owner.delivery.waiterCount(),
        (count) => count > 0,
      )
      expect(owner.delivery.waiterCount()).toBe(1)
      owner.publish(3)
      const answers = await Promise.all(waiting)
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
      expect(answers[0]!.body).toContain(`${number}.m4s`)
      expect(owner.delivery.statsOf(stream.playoutId).viewers).toBe(1)
      const media = await get('video/0.m4s')
      expect(media.headers.get('cache-control')).toContain('immutable')
      expect((await get('video/0.m4s', { Range: 'bytes=0-9' })).status).toBe(206)
      expect((await get('main.m3u8')).status).toBe(200)
      expect((await get('status.json')).body).toMatchObject({ State: 'online' })
      owner.facts = stream.facts = { ...publishedFacts, ...owner.facts, releaseStatus: 'draft' }
      expectProblem(await get('video/0.m4s'), 'not_found')
    })

    test('answers 503 when that node does not respond', async () => {
      const node = { id: 'gone', url: 'http://127.0.0.1:1', publicUrl }
      stream.facts = { ...publishedFacts, state: 'connected', node }
      expectProblem(await get('video/live.m3u8'), 'unavailable')
      expect((await get('status.json')).status).toBe(200)
    })
  })

  test('is served as soon as a node has it', async () => {
    const owner = await startWatchedStream({}, { nodeId: 'owner' })
    onTestFinished(owner.stop)
    const url = `${stream.origin}/l/${owner.playoutId}/video/live.m3u8`
    owner.publish(5)
    stream.factsOfOthers = { ...publishedFacts, state: 'reconnecting', node: null }
    const waiting = fetch(url)
    owner.facts = { ...publishedFacts, node: { id: 'owner', url: owner.origin, publicUrl: null } }
    stream.factsOfOthers = owner.facts
    expect((await waiting).status).toBe(200)
  })

  test('answers 503 instead of a redirect loop when an api node forwarded the request', async () => {
    stream.facts = at(null)
    const { status, headers } = await follow(passedOnFor('192.0.2.7'))
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('1')
  })

  test('that this node is about to restore: answers an api node 503, and 404 once it is offline', async () => {
    const node = { id: ownNodeId, url: 'http://192.0.2.1', publicUrl: null }
    const ask = () =>
      request(`${stream.origin}/l/${randomUUID()}/video/live.m3u8`, 'GET', {
        headers: passedOnFor('192.0.2.7'),
      })
    stream.factsOfOthers = { ...publishedFacts, state: 'reconnecting', node }
    expectProblem(await ask(), 'unavailable')
    stream.factsOfOthers = { ...publishedFacts, state: 'offline', node }
    expectProblem(await ask(), 'not_found')
  })

  describe('that died, when this node has it again but still shows its former broadcast here,', () => {
    const node = { id: ownNodeId, url: 'http://192.0.2.1', publicUrl: null }
    const restoring = { ...publishedFacts, state: 'reconnecting', epoch: ownEpoch + 1, node } as const

    test('answers 503 until it is restored, and never the end of the former broadcast', async () => {
      stream.end()
      stream.facts = { ...publishedFacts, state: 'offline', node }
      expect((await get('video/standard.m3u8', passedOnFor('192.0.2.7'))).body).toContain('#EXT-X-ENDLIST')
      stream.facts = restoring
      for (const name of ['main.m3u8', 'video/standard.m3u8', 'video/live.m3u8', 'main.mpd', 'video/0.m4s'])
        expectProblem(await get(name, passedOnFor('192.0.2.7')), 'unavailable')
      expect((await get('status.json')).body).toMatchObject({ State: 'reconnecting' })
    })

    test('answers 404 when it has ended without this node', async () => {
      stream.end()
      stream.facts = { ...restoring, state: 'offline', node: null }
      expectProblem(await get('video/standard.m3u8'), 'not_found')
    })

    test('does not answer viewers who waited for the next part of the former broadcast', async () => {
      const { number } = newest().currentSegment
      const waiting = get(`video/live.m3u8?_HLS_msn=${number}`)
      await blocked(1)
      stream.facts = restoring
      stream.publish(3)
      expectProblem(await waiting, 'unavailable')
    })

    test('is served as soon as it is restored, by facts from before as well', async () => {
      for (const epoch of [ownEpoch, ownEpoch - 1]) {
        stream.facts = { ...restoring, epoch }
        expect((await get('video/standard.m3u8', passedOnFor('192.0.2.7'))).status).toBe(200)
      }
    })
  })

  test('that another node may own by now gets no playlist, also after a wait, but its media', async () => {
    const { number } = newest().currentSegment
    const waiting = get(`video/live.m3u8?_HLS_msn=${number}`)
    await blocked(1)
    stream.mayBeLost = true
    stream.publish(3)
    expectProblem(await waiting, 'unavailable')
    for (const name of ['main.m3u8', 'video/standard.m3u8', 'video/live.m3u8', 'main.mpd']) {
      const { status, headers } = await get(name)
      expect([name, status, headers.get('retry-after')]).toEqual([name, 503, '1'])
    }
    expect((await get('video/0.m4s')).status).toBe(200)
    expect((await get('status.json')).status).toBe(200)
    stream.mayBeLost = false
    expect((await get('video/standard.m3u8')).status).toBe(200)
  })

  test('is served without a redirect when that node is this one', async () => {
    stream.facts = { ...publishedFacts, node: { id: ownNodeId, url: 'http://192.0.2.1', publicUrl: null } }
    expect((await get('video/live.m3u8')).status).toBe(200)
  })
})

describe('a stream of a project with AllowedDomains', () => {
  const allowed = { ...publishedFacts, allowedDomains: ['www.example.com', '*.example.org'] }
  const from = (Origin: string, name = 'video/live.m3u8') => get(name, { Origin })

  beforeEach(() => {
    stream.facts = allowed
  })

  test.each(['https://www.example.com', 'https://a.b.example.org', 'https://video.example'])(
    'plays on %s, and caches keep the response apart',
    async (origin) => {
      const playlist = await from(origin)
      expect(playlist.status).toBe(200)
      expect(playlist.headers.get('vary')).toBe('Accept-Encoding, Origin')
      const media = await from(origin, 'video/0.m4s')
      expect([media.status, media.headers.get('vary')]).toEqual([200, 'Origin'])
    },
  )

  test.each(['https://evil.example', 'https://example.org', 'null'])(
    'does not play on %s',
    async (origin) => {
      for (const name of ['ll.m3u8', 'video/live.m3u8', 'video/0.m4s', 'status.json'])
        expectProblem(await from(origin, name), 'forbidden')
    },
  )

  test('plays without an Origin header, and with one that an api node has checked', async () => {
    expect((await get('video/live.m3u8')).status).toBe(200)
    const passedOn = { Origin: 'https://evil.example', ...passedOnFor('192.0.2.7') }
    expect((await get('video/live.m3u8', passedOn)).status).toBe(200)
  })

  test('plays after the redirect of a node that has checked the origin, for a minute', async () => {
    stream.facts = {
      ...allowed,
      node: { id: 'another', url: 'http://192.0.2.1', publicUrl: 'https://two.example' },
    }
    const path = `/l/${stream.playoutId}/video/live.m3u8?_HLS_skip=YES`
    const headers = { Origin: 'https://www.example.com' }
    const { headers: answered } = await fetch(stream.origin + path, { redirect: 'manual', headers })
    const location = new URL(answered.get('location') ?? '')
    stream.facts = allowed
    const follow = (Origin: string) =>
      request(stream.origin + location.pathname + location.search, 'GET', { headers: { Origin } })
    expect((await follow('null')).status).toBe(200)
    expectProblem(await follow('https://evil.example'), 'forbidden')
    location.searchParams.set('admitted', `${location.searchParams.get('admitted')?.slice(0, -1)}x`)
    expectProblem(await follow('null'), 'forbidden')
    location.search = new URL(answered.get('location') ?? '').search
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000)
    onTestFinished(() => later.mockRestore())
    expectProblem(await follow('null'), 'forbidden')
  })

  test('plays after the redirect of an api node that has checked the origin', async () => {
    const path = `/l/${stream.playoutId}/video/live.m3u8`
    const url = createAdmittedRedirects(nodeToken).add(stream.origin + path, stream.playoutId)
    expect((await request(url, 'GET', { headers: { Origin: 'null' } })).status).toBe(200)
  })
})

test('compresses playlists only for clients that accept gzip', async () => {
  const raw = async (acceptEncoding: string) => {
    const { promise, resolve } = Promise.withResolvers<{ encoding: string | undefined; body: Buffer }>()
    httpGet(
      `${stream.url}video/live.m3u8`,
      { headers: { 'Accept-Encoding': acceptEncoding } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) }),
        )
      },
    )
    return promise
  }
  const plain = await raw('br, gzip;q=0')
  expect(plain.encoding).toBeUndefined()
  const packed = await raw('deflate, gzip')
  expect(packed.encoding).toBe('gzip')
  expect(gunzipSync(packed.body)).toEqual(plain.body)
})

describe('access control', () => {
  test.each([
    ['an unknown stream', null, 'not_found'],
    ['a disabled stream', { ...publishedFacts, isEnabled: false }, 'not_found'],
    ['an unpublished stream', { ...publishedFacts, releaseStatus: 'unpublished' }, 'not_found'],
    ['a stream that needs a token', { ...publishedFacts, needsToken: true }, 'forbidden'],
  ] as const)('%s: returns no playlist, part or status', async (_name, facts, problem) => {
    stream.facts = facts
    for (const name of ['ll.m3u8', 'video/live.m3u8', 'video/0.0.m4s', 'main.mpd', 'status.json'])
      expectProblem(await get(name), problem)
  })

  test('a token in the path grants the access that it was issued for', async () => {
    const withToken = (token: string) =>
      request(`${stream.origin}/s/${token}/l/${stream.playoutId}/video/live.m3u8`, 'GET')
    stream.facts = { ...publishedFacts, needsToken: true }
    expect((await withToken('viewer')).status).toBe(200)
    stream.facts = { ...publishedFacts, releaseStatus: 'draft' }
    expect((await withToken('viewer')).status).toBe(404)
    expect((await withToken('preview')).status).toBe(200)
  })

  test('does not send content whose access was revoked while viewers waited', async () => {
    const { number } = newest().currentSegment
    const path = `l/${stream.playoutId}/video/live.m3u8?_HLS_msn=${number}`
    const answers = ['', 's/viewer/', 's/preview/'].map((before) =>
      request(`${stream.origin}/${before}${path}`, 'GET'),
    )
    await blocked(3)
    stream.facts = { ...publishedFacts, releaseStatus: 'unpublished' }
    stream.publish(2.5)
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404, 200])
  })
})

test('status.json reports the state of the stream', async () => {
  const board = async () => (await get('status.json')).body
  expect(await board()).toEqual({
    State: 'online',
    Title: 'Town hall',
    BoardText: 'We begin at 18:00.',
    EndedText: '',
    HasPoster: false,
    OnlineSince: '2026-03-01T12:00:00.000+00:00',
    IsLowLatency: true,
  })
  stream.facts = { ...publishedFacts, state: 'reconnecting' }
  expect(await board()).toMatchObject({ State: 'reconnecting' })
  stream.end()
  expect(await board()).toMatchObject({ State: 'ended' })
})

describe('viewers', () => {
  const beacon = (body: unknown) => request(`${stream.url}beacon`, 'POST', { body })

  test('are counted by playlist requests, user agent and beacon session', async () => {
    await get('video/live.m3u8', { 'User-Agent': 'one' })
    await get('audio/live.m3u8', { 'User-Agent': 'one' })
    await get('video/standard.m3u8', { 'User-Agent': 'two' })
    await get('main.mpd', { 'User-Agent': 'two', ...passedOnFor('192.0.2.7') })
    // A forwarded address that an untrusted client sends does not make it another viewer.
    await get('main.mpd', { 'User-Agent': 'two', 'X-Forwarded-For': '192.0.2.8' })
    expect(stream.delivery.statsOf(stream.playoutId)).toMatchObject({ viewers: 3, latencyP50Ms: null })
    await get('video/live.m3u8')
    for (const [Session, LatencyMs] of [
      ['aaaaaaaa', 9_000],
      ['bbbbbbbb', 1_000],
      ['aaaaaaaa', 1_000],
    ])
      expect((await beacon({ Session, LatencyMs })).status).toBe(204)
    expect((await beacon(JSON.stringify({ Session: 'cccccccc', LatencyMs: 3_000 }))).status).toBe(204)
    expect(stream.delivery.statsOf(stream.playoutId)).toEqual({
      viewers: 6,
      latencyP50Ms: 1_000,
      latencyP95Ms: 3_000,
    })
    stream.nowMs += 31_000
    expect(stream.delivery.statsOf(stream.playoutId)).toMatchObject({ viewers: 0, latencyP50Ms: 1_000 })
    stream.nowMs += 30_000
    expect(stream.delivery.statsOf(stream.playoutId)).toMatchObject({ latencyP50Ms: null })
  })

  test('do not include players with a preview link', async () => {
    const preview = stream.url.replace('/l/', '/s/preview-token/l/')
    expect((await request(`${preview}video/live.m3u8`, 'GET')).status).toBe(200)
    const body = { Session: 'aaaaaaaa', LatencyMs: 1_000 }
    expect((await request(`${preview}beacon`, 'POST', { body })).status).toBe(204)
    expect(stream.delivery.statsOf(stream.playoutId)).toMatchObject({ viewers: 0, latencyP50Ms: null })
    // A viewer at the same address counts, and the preview there still does not.
    await get('video/live.m3u8')
    await request(`${preview}beacon`, 'POST', { body })
    expect(stream.delivery.statsOf(stream.playoutId)).toMatchObject({ viewers: 1, latencyP50Ms: null })
  })

  describe('that an api node names', () => {
    const viewer = { 'User-Agent': 'one', ...passedOnFor('192.0.2.7') }
    const key = createViewerKeys(nodeToken)('192.0.2.7', 'one')
    const name = (players: readonly NamedPlayer[], headers: Record<string, string> = viewer) =>
      request(`${stream.url}beacon`, 'POST', {
        body: JSON.stringify(players),
        headers: { ...headers, [sharedHeader]: '1' },
      })

    test('are counted by session, until their player stops or reports no more', async () => {
      await get('video/live.m3u8', viewer)
      const players = [
        [key, 'one', 1_000, 1],
        [key, 'two', 3_000, 1],
        [key, 'paused', 500, 0],
        // Has loaded no playlist.
        [key + 1, 'stranger', 9_000, 1],
      ] as const
      expect((await name(players)).status).toBe(204)
      const stats = () => stream.delivery.statsOf(stream.playoutId)
      expect(stats()).toEqual({ viewers: 2, latencyP50Ms: 1_000, latencyP95Ms: 3_000 })
      await name([[key, 'two', null, 0]])
      expect(stats().viewers).toBe(1)
      await name([[key, 'two', null, 1]])
      stream.nowMs += 29_000
      await get('video/live.m3u8', viewer)
      expect(stats().viewers).toBe(2)
      // Players report every 30 seconds.
      await name([[key, 'one', 1_200, 1]])
      stream.nowMs += 17_000
      expect(stats().viewers).toBe(1)
    })

    test('are refused without the token of the nodes', async () => {
      await get('video/live.m3u8', { 'User-Agent': 'one' })
      expectProblem(await name([[key, 'one', 1_000, 1]], { 'User-Agent': 'one' }), 'invalid')
    })
  })

  test.each([
    ['no JSON', '{', 'invalid'],
    ['no object', '7', 'invalid'],
    ['no session', {}, 'invalid'],
    ['a strange session', { Session: '<b>aaaaaaaa' }, 'invalid'],
    ['a latency that is none', { Session: 'aaaaaaaa', LatencyMs: -1 }, 'invalid'],
    ['too much', 'x'.repeat(2_000), 'too_large'],
  ] as const)('rejects a beacon with %s', async (_name, body, problem) => {
    expectProblem(await beacon(body), problem)
  })
})

test('rejects other methods and addresses, and answers preflight requests', async () => {
  expectProblem(await request(`${stream.url}video/live.m3u8`, 'POST'), 'method_not_allowed')
  const wrong = await request(`${stream.url}beacon`, 'GET')
  expectProblem(wrong, 'method_not_allowed')
  expect(wrong.headers.get('allow')).toBe('POST, OPTIONS')
  for (const path of [
    '/',
    '/l/',
    '/s/',
    `/l/${stream.playoutId}`,
    `/s//l/${stream.playoutId}/ll.m3u8`,
    '/l/x/ll.m3u8',
  ])
    expectProblem(await request(stream.origin + path, 'GET'), 'not_found')
  const id = stream.playoutId
  for (const path of [
    `/l/${id}/video/../video/0.m4s`,
    `//l/${id}/ll.m3u8`,
    `/l/${id}/%6cl.m3u8`,
    `/l/${id}/constructor`,
  ])
    expect((await getRaw(path))?.status).toBe(404)
  const preflight = await request(`${stream.url}beacon`, 'OPTIONS')
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
})
