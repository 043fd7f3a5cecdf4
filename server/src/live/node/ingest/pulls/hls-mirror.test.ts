import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import type { GuardedAgent } from '../../../../platform/outbound/guarded-agent.ts'
import { openHlsMirror } from './hls-mirror.ts'

let workFolder: string
beforeAll(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'mirror-'))
})
afterAll(() => rm(workFolder, { recursive: true }))

type Site = Readonly<Record<string, string | readonly string[]>>

/** Answers with the pages of a site. Of several texts, each request takes the next one. Other pages are missing. */
const agentOf = (site: Site): GuardedAgent => {
  const asked = new Map<string, number>()
  const download: GuardedAgent['download'] = async (url) => {
    const page = site[URL.parse(url)!.pathname]
    const number = asked.get(url) ?? 0
    asked.set(url, number + 1)
    const text = typeof page === 'string' ? page : page?.[Math.min(number, page.length - 1)]
    const body = (async function* () {
      yield Buffer.from(text ?? '')
    })()
    return { status: text === undefined ? 404 : 200, headers: {}, body, discard: () => {} }
  }
  return { download } as GuardedAgent
}

const mirrorOf = (site: Site) =>
  openHlsMirror('https://a.example/live/main.m3u8', {
    agent: agentOf(site),
    workFolder,
    signal: AbortSignal.timeout(20_000),
  })

const playlist = (first: number, ...lines: readonly string[]): string =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:1', `#EXT-X-MEDIA-SEQUENCE:${first}`, ...lines].join('\n')
const segment = (name: string): string[] => ['#EXTINF:0.5,', name]

test.each([
  ['has no playlist', {}, { reason: 'live_source_answered', params: { status: 404 } }],
  ['is no playlist', { '/live/main.m3u8': 'Hello' }, { reason: 'live_source_format' }],
  [
    'lacks its first segment',
    { '/live/main.m3u8': playlist(0, ...segment('a.ts'), '#EXT-X-ENDLIST') },
    { reason: 'live_source_answered' },
  ],
])('reports a source that %s, and leaves no files', async (_name, site, error) => {
  await expect(mirrorOf(site)).rejects.toMatchObject({ code: 'failed', ...error })
  expect(await readdir(workFolder)).toEqual([])
})

test('follows a live playlist to its end, from the third segment before its end, past a missing segment', async () => {
  const begun = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].flatMap(segment)
  const mirror = await mirrorOf({
    '/live/main.m3u8': [
      playlist(7, ...begun),
      playlist(7, ...begun),
      playlist(9, ...['c.ts', 'd.ts', 'missing.ts', 'f.ts'].flatMap(segment), '#EXT-X-ENDLIST'),
    ],
    ...{ '/live/b.ts': 'B', '/live/c.ts': 'C', '/live/d.ts': 'D', '/live/f.ts': 'F' },
  })
  const read = (): Promise<string> => readFile(mirror.playlistPath, 'utf8')
  expect((await read()).split('\n')).toContain('#EXT-X-MEDIA-SEQUENCE:8')
  const text = await waitFor(read, (written) => written.includes('#EXT-X-ENDLIST'))
  const names = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const contents = names.map((name) => readFile(join(mirror.folder, name), 'utf8').catch(() => 'none'))
  expect(await Promise.all(contents)).toEqual(['B', 'C', 'D', 'none', 'F'])
  await mirror.close()
  expect(await readdir(workFolder)).toEqual([])
})

test('stores a byte range alone when the server ignores ranges', async () => {
  const ranges = ['#EXT-X-BYTERANGE:3@0', ...segment('all.mp4'), '#EXT-X-BYTERANGE:2', ...segment('all.mp4')]
  const mirror = await mirrorOf({
    '/live/main.m3u8': playlist(0, '#EXT-X-MAP:URI="all.mp4",BYTERANGE="2@1"', ...ranges, '#EXT-X-ENDLIST'),
    '/live/all.mp4': 'abcdefgh',
  })
  const stored = (await readdir(mirror.folder)).filter((name) => name.endsWith('.mp4'))
  const contents = await Promise.all(stored.map((name) => readFile(join(mirror.folder, name), 'utf8')))
  expect(contents.toSorted()).toEqual(['abc', 'bc', 'de'])
  await mirror.close()
})

test('loads a segment name again that the source uses for newer media, and forgets media before a gap', async () => {
  const ended = playlist(40, ...['a.ts', 'b.ts'].flatMap(segment), '#EXT-X-ENDLIST')
  const mirror = await mirrorOf({
    '/live/main.m3u8': [
      playlist(0, ...['a.ts', 'b.ts'].flatMap(segment)),
      playlist(0, ...['a.ts', 'b.ts'].flatMap(segment)),
      playlist(20, ...['a.ts', 'b.ts'].flatMap(segment)),
      ended,
    ],
    ...{ '/live/a.ts': ['A0', 'A20', 'A40'], '/live/b.ts': ['B1', 'B21', 'B41'] },
  })
  const read = (): Promise<string> => readFile(mirror.playlistPath, 'utf8')
  const text = await waitFor(read, (written) => written.includes('#EXT-X-ENDLIST'))
  const names = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  expect(await Promise.all(names.map((name) => readFile(join(mirror.folder, name), 'utf8')))).toEqual([
    'A40',
    'B41',
  ])
  const stored = (await readdir(mirror.folder)).filter((name) => name.endsWith('.ts'))
  expect(stored).toHaveLength(4)
  await mirror.close()
})

test('ignores an older playlist, such as one from a cache that lags', async () => {
  const older = playlist(40, ...segment('old.ts'), '#EXT-X-ENDLIST')
  const mirror = await mirrorOf({
    '/live/main.m3u8': [
      playlist(100, ...segment('a.ts')),
      playlist(100, ...segment('a.ts')),
      older,
      older,
      playlist(101, ...segment('b.ts'), '#EXT-X-ENDLIST'),
    ],
    ...{ '/live/a.ts': 'A', '/live/b.ts': 'B' },
  })
  const read = (): Promise<string> => readFile(mirror.playlistPath, 'utf8')
  const text = await waitFor(read, (written) => written.includes('#EXT-X-ENDLIST'))
  const names = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  expect(await Promise.all(names.map((name) => readFile(join(mirror.folder, name), 'utf8')))).toEqual([
    'A',
    'B',
  ])
  expect(mirror.isRestarted()).toBe(false)
  await mirror.close()
})

test('ends its playlist as restarted when the source stays at lower numbers', async () => {
  const mirror = await mirrorOf({
    '/live/main.m3u8': [
      playlist(100, ...segment('a.ts')),
      playlist(100, ...segment('a.ts')),
      playlist(0, ...segment('b.ts')),
    ],
    ...{ '/live/a.ts': 'A', '/live/b.ts': 'B' },
  })
  const read = (): Promise<string> => readFile(mirror.playlistPath, 'utf8')
  const text = await waitFor(read, (written) => written.includes('#EXT-X-ENDLIST'))
  expect(text.match(/#EXTINF/g)).toHaveLength(1)
  expect(mirror.isRestarted()).toBe(true)
  await mirror.close()
})
