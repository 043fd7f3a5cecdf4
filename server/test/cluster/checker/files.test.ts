import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Answer, Client } from '../workload/client.ts'
import type { Entry, Logged } from '../workload/journal.ts'
import { checkRecords, checkUploads, type FileRow } from './files.ts'

const bytes = Buffer.from('a video')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const uploaded: Entry = {
  kind: 'uploaded',
  projectId: 1,
  fileId: 5,
  name: 'a.mp4',
  method: 'put',
  sizeBytes: 7,
  sha256,
}
const journalOf = (...entries: readonly Entry[]): Logged[] =>
  entries.map((entry, index) => ({ ...entry, atMs: index }))

const hls = 'http://cluster/v/a/master.m3u8'
const pages: Readonly<Record<string, unknown>> = {
  '/v3/projects/1/files/5': { Metadata: { Title: 'two' }, Playouts: [{ HLS: hls }] },
  [hls]: '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="avc1.64000d"\nvideo.m3u8\n',
  'http://cluster/v/a/video.m3u8':
    '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4,\n0.m4s\n#EXTINF:2,\n1.m4s\n#EXT-X-ENDLIST\n',
  'http://cluster/v/a/init.mp4': 'media',
  'http://cluster/v/a/0.m4s': 'media',
  'http://cluster/v/a/1.m4s': 'media',
}
const clientWithout = (missing: string | null = null): Client => {
  const insist: Client['insist'] = (path, accepted) => {
    const isThere = path !== missing && pages[path] !== undefined
    const answer: Answer = { status: isThere ? 200 : 404, headers: new Headers(), body: pages[path] ?? '' }
    return accepted.includes(answer.status)
      ? Promise.resolve(answer)
      : Promise.reject(new Error(`${path} answered ${answer.status}`))
  }
  return { insist, ask: (path) => insist(path, [200, 404]) }
}
const stored = (row: Partial<FileRow> | null, found = bytes) => ({
  rows: new Map<number, FileRow>(
    row === null ? [] : [[5, { id: 5, state: 'finished', error: null, sourceBlob: 'source', ...row }]],
  ),
  readBlob: (key: string) =>
    key === 'source' ? Promise.resolve(found) : Promise.reject(new Error('no such object')),
})
const kindsOf = async (...[client, files, ...more]: [Client, ReturnType<typeof stored>, ...Entry[]]) =>
  (await checkUploads(journalOf(uploaded, ...more), client, files)).map(({ kind }) => kind)

test('accepts an upload with its bytes that plays', async () => {
  expect(await kindsOf(clientWithout(), stored({}))).toEqual([])
})

test.each([
  ['whose row is gone', stored(null), 'lost'],
  ['without a source', stored({ sourceBlob: null }), 'lost'],
  ['whose object is gone', stored({ sourceBlob: 'another' }), 'lost'],
  ['with other bytes', stored({}, Buffer.from('other')), 'wrong'],
  ['that failed', stored({ state: 'failed' }), 'wrong'],
] as const)('finds an acknowledged upload %s', async (_, files, kind) => {
  expect(await kindsOf(clientWithout(), files)).toEqual([kind])
})

test('finds an upload with a segment that cannot be loaded', async () => {
  expect(await kindsOf(clientWithout('http://cluster/v/a/1.m4s'), stored({}))).toEqual(['wrong'])
})

test('ignores an upload whose deletion was acknowledged', async () => {
  const deleted: Entry = { kind: 'deleted', projectId: 1, fileId: 5 }
  expect(await kindsOf(clientWithout(), stored(null), deleted)).toEqual([])
})

test('finds a lost change, a lost creation and a lost deletion', async () => {
  const file = { projectId: 1, fileId: 5 }
  const changed = (title: string): Entry => ({ kind: 'changed', ...file, title })
  const check = (entry: Entry, client = clientWithout()) => checkRecords(journalOf(entry), client)
  expect(await check(changed('two'))).toEqual([])
  expect(await check(changed('three'))).toHaveLength(1)
  expect(await check({ kind: 'deleted', ...file })).toHaveLength(1)
  const created: Entry = { kind: 'created', ...file, name: 'a.mp4' }
  expect(await check(created)).toEqual([])
  expect(await check(created, clientWithout('/v3/projects/1/files/5'))).toHaveLength(1)
})
