import { readdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countFrames, makeMedia, makeSample } from '../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { createRemuxInFlightUploadHandler } from './remux-in-flight-upload-handler.ts'
import { createInFlightUploads } from '../../library/files/media/in-flight-uploads.ts'
import { beginUpload } from '../uploads/test-support/half-upload.ts'

let server: TestServer
let projectId: number
let fastStart: Buffer
let fragmented: Buffer
let indexLast: Buffer
let remuxed: Record<'mkv' | 'ts', Buffer>

/** Sixteen seconds at 3 Mbit/s, so that a half exceeds one disk write; one segment lasts four seconds. */
const steadyRate = ['-b:v', '3M', '-x264-params', 'nal-hrd=cbr:bframes=0', '-maxrate', '3M', '-bufsize', '3M']
const make = (movflags: string) =>
  makeSample({ seconds: 16, extra: ['-preset', 'ultrafast', ...steadyRate, '-movflags', movflags] })
const moveTo = async (format: string) => {
  const path = join(server.dataFolder, 'to-be-moved.mp4')
  await writeFile(path, fastStart)
  return makeMedia(['-i', path, '-c', 'copy'], format)
}

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  const project = await server.call('POST', '/projects', { body: { Name: 'While uploading' } })
  projectId = project.body.Id
  ;[fastStart, fragmented, indexLast] = await Promise.all([
    make('+faststart'),
    make('+frag_keyframe+empty_moov+default_base_moof'),
    makeSample({ seconds: 2, extra: ['-b:v', '1M'] }),
  ])
  remuxed = { mkv: await moveTo('mkv'), ts: await moveTo('ts') }
})

afterAll(() => server.stop())

interface InFlightFile {
  readonly id: number
  readonly url: string
  // Test records have many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly get: () => Promise<any>
  readonly hls: (name: string) => Promise<Awaited<ReturnType<typeof request>>>
  readonly hlsUrl: string
  readonly send: (bytes: Buffer, from: number, to: number) => ReturnType<typeof request>
  readonly events: () => Promise<string[]>
}

const create = async (body: object = {}): Promise<InFlightFile> => {
  const { body: file } = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'clip.mp4', Metadata: { ReleaseStatus: 'published' }, ...body },
  })
  const hlsUrl = `${server.url}/v/${file.Playouts[0].Id}/main.m3u8`
  const { kysely } = server.services.database
  return {
    id: file.Id,
    url: file.Upload.URI,
    get: async () => (await server.call('GET', `/projects/${projectId}/files/${file.Id}`)).body,
    hls: (name) => request(hlsUrl.replace('main.m3u8', name), 'GET'),
    hlsUrl,
    send: (bytes, from, to) =>
      request(file.Upload.URI, 'PUT', {
        body: bytes.subarray(from, to),
        headers: { 'Content-Range': `bytes ${from}-${to - 1}/${bytes.length}` },
      }),
    events: async () => {
      const rows = await kysely
        .selectFrom('events')
        .select('name')
        .where('file_id', '=', file.Id)
        .orderBy('sequence')
        .execute()
      return rows.map(({ name }) => name)
    },
  }
}

const half = (bytes: Buffer): number => Math.floor(bytes.length / 2)

const whenPlayable = (file: InFlightFile) => waitFor(file.get, ({ IsPlayable }) => IsPlayable)
const whenFinished = (file: InFlightFile) => waitFor(file.get, ({ IsFinished }) => IsFinished)

const bytesAt = async ({ hlsUrl }: InFlightFile, name: string): Promise<Buffer> => {
  const answer = await fetch(hlsUrl.replace('main.m3u8', name))
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

const segmentsIn = (playlist: string): number => playlist.match(/#EXTINF/g)?.length ?? 0
/** Creates a file whose first half is received and playable. */
const halfReceived = async (bytes: Buffer, body: object = {}): Promise<InFlightFile> => {
  const file = await create(body)
  expect((await file.send(bytes, 0, half(bytes))).status).toBe(200)
  await whenPlayable(file)
  return file
}

const playlistOf = async (file: InFlightFile, kind: 'video' | 'audio') => {
  const { Renditions } = await file.get()
  const { Id } = Renditions.find(({ Type }: { Type: string }) => Type === kind)
  return { Id, name: `${Id}/playlist.m3u8` }
}

test('the received part of a slow fast-start upload plays, and continues under the same URLs to its end', async () => {
  const file = await create()
  const sending = beginUpload(file.url, fastStart, { sentBytes: half(fastStart) })
  expect(await whenPlayable(file)).toMatchObject({
    Status: 'playable',
    IsFinished: false,
    Properties: null,
    Playouts: [{ HLS: file.hlsUrl, DASH: null, MP4: null }],
    Timings: { UploadedAt: null, PlayableAt: expect.any(String) },
  })
  const { name, Id } = await playlistOf(file, 'video')
  const { body: inProgress } = await waitFor(
    () => file.hls(name),
    ({ body }) => segmentsIn(body) === 1,
  )
  expect(inProgress).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
  expect(inProgress).toContain('#EXT-X-TARGETDURATION:4')
  expect(inProgress).toContain('#EXT-X-START:TIME-OFFSET=0')
  expect(inProgress).not.toContain('#EXT-X-ENDLIST')
  const first = await bytesAt(file, `${Id}/0.m4s`)
  expect((await file.hls(`${Id}/3.m4s`)).status).toBe(404)
  expect((await file.hls('main.mpd')).status).toBe(404)
  sending.cut()
  await sending.ended

  const { headers } = await request(file.url, 'HEAD')
  const offset = Number(headers.get('upload-offset'))
  expect(offset).toBeGreaterThan(1_000_000)
  expect((await file.send(fastStart, offset, fastStart.length)).status).toBe(200)
  expect(await whenFinished(file)).toMatchObject({ Status: 'finished', HasErrors: false })
  const { body: whole } = await file.hls(name)
  expect(whole).toContain('#EXT-X-ENDLIST')
  expect(segmentsIn(whole)).toBe(4)
  expect((await bytesAt(file, `${Id}/0.m4s`)).equals(first)).toBe(true)
  expect(await countFrames(file.hlsUrl)).toBe(480)
  expect((await file.events()).slice(0, 7)).toEqual([
    'file.created',
    'file.playable',
    'file.released',
    'file.uploaded',
    'file.encoding',
    'file.encoded',
    'file.new',
  ])
})

test('a fragmented file plays up to its last complete fragment', async () => {
  const file = await halfReceived(fragmented)
  const { name, Id } = await playlistOf(file, 'video')
  const { name: audioName } = await playlistOf(file, 'audio')
  const { body: early } = await file.hls(name)
  expect(early).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
  expect(segmentsIn(early)).toBe(1)
  const first = await bytesAt(file, `${Id}/0.m4s`)
  const more = Math.floor(fragmented.length * 0.95)
  await file.send(fragmented, half(fragmented), more)
  const { body: later } = await waitFor(
    () => file.hls(name),
    ({ body }) => segmentsIn(body) === 3,
  )
  expect(segmentsIn((await file.hls(audioName)).body)).toBeGreaterThanOrEqual(2)
  // These frames must stay decodable until the end.
  const decoded = await countFrames(await playlistUpTo(file, later, Id))
  expect(decoded).toBe(360)
  await file.send(fragmented, more, fragmented.length)
  await whenFinished(file)
  expect(segmentsIn((await file.hls(name)).body)).toBe(4)
  expect((await bytesAt(file, `${Id}/0.m4s`)).equals(first)).toBe(true)
  expect(await countFrames(file.hlsUrl)).toBe(480)
})

/**
 * Joins the segments of an incomplete playlist into one file: a player of the playlist itself would wait for
 * the next segment.
 */
const playlistUpTo = async (file: InFlightFile, playlist: string, id: number): Promise<string> => {
  const parts = [await bytesAt(file, `${id}/init.mp4`)]
  for (let index = 0; index < segmentsIn(playlist); index++)
    parts.push(await bytesAt(file, `${id}/${index}.m4s`))
  const path = join(server.dataFolder, `listed-${id}.mp4`)
  await writeFile(path, Buffer.concat(parts))
  return path
}

test.each(['mkv', 'ts'] as const)(
  'the received part of a file in %s is remuxed and plays, and continues under the same URLs to its end',
  async (format) => {
    const source = remuxed[format]
    const most = Math.floor(source.length * 0.8)
    const file = await create({ FileName: `clip.${format}` })
    await file.send(source, 0, most)
    expect(await whenPlayable(file)).toMatchObject({ Status: 'playable', Properties: null })
    const { name, Id } = await playlistOf(file, 'video')
    const { Id: audioId } = await playlistOf(file, 'audio')
    const { body: inProgress } = await waitFor(
      () => file.hls(name),
      ({ body }) => segmentsIn(body) >= 2,
    )
    expect(inProgress).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
    expect(await countFrames(await playlistUpTo(file, inProgress, Id))).toBe(120 * segmentsIn(inProgress))
    const early = await Promise.all([Id, audioId].map((id) => bytesAt(file, `${id}/0.m4s`)))
    await file.send(source, most, source.length)
    const finished = await whenFinished(file)
    expect(finished).toMatchObject({ Status: 'finished', HasErrors: false })
    const { body: whole } = await file.hls(name)
    expect(whole).toContain('#EXT-X-ENDLIST')
    const late = await Promise.all([Id, audioId].map((id) => bytesAt(file, `${id}/0.m4s`)))
    expect(late.map((bytes, index) => bytes.equals(early[index] ?? bytes.subarray(1)))).toEqual([true, true])
    expect(await countFrames(file.hlsUrl)).toBe(480)
    expect(await countFrames(finished.Playouts[0].MP4)).toBe(480)
    expect((await file.events()).filter((event) => event === 'file.playable')).toHaveLength(1)
    expect(await copiesIn(server.dataFolder)).toEqual([])
    // The remux now belongs to the file.
    expect(await garbageOf(file)).toEqual([])
  },
)

const garbageOf = ({ id }: InFlightFile) =>
  server.services.database.kysely
    .selectFrom('discarded_media')
    .select('blobs')
    .where('file_id', '=', id)
    .execute()

const copiesIn = async (dataFolder: string): Promise<string[]> =>
  (await readdir(join(dataFolder, 'uploads'))).filter((name) => name.startsWith('remuxed-'))

test('a remux is deleted with its abandoned upload', async () => {
  const file = await halfReceived(remuxed.mkv, { FileName: 'clip.mkv' })
  const { name } = await playlistOf(file, 'video')
  expect(await copiesIn(server.dataFolder)).toHaveLength(1)
  await request(file.url, 'DELETE', { headers: { 'Tus-Resumable': '1.0.0' } })
  await expectNothingPlays(file, name)
  await waitFor(
    () => copiesIn(server.dataFolder),
    (names) => names.length === 0,
  )
  await waitFor(
    () => renditionCount(file),
    (count) => count === 0,
  )
})

test('a remux that grows far beyond its source is withdrawn before the disk is full', async () => {
  const file = await halfReceived(remuxed.mkv, { FileName: 'clip.mkv' })
  const { name } = await playlistOf(file, 'video')
  const [copy = ''] = await copiesIn(server.dataFolder)
  // Simulates a source whose frames are compressed a thousandfold; the file is sparse.
  await truncate(join(server.dataFolder, 'uploads', copy), 128 * 1024 * 1024)
  await waitFor(
    () => copiesIn(server.dataFolder),
    (names) => names.length === 0,
  )
  await expectNothingPlays(file, name)
  expect(await file.get()).toMatchObject({ Status: 'created', IsPlayable: false })
})

test('the remux of a killed worker is withdrawn, and the file plays when it is complete', async () => {
  const file = await halfReceived(remuxed.ts, { FileName: 'clip.ts' })
  const { name } = await playlistOf(file, 'video')
  const row = await server.services.database.kysely
    .selectFrom('media_files')
    .select(['account_id', 'arriving_upload'])
    .where('id', '=', file.id)
    .executeTakeFirstOrThrow()
  const { database, config } = server.services
  const takeUp = createRemuxInFlightUploadHandler({
    database,
    publicUrl: server.url,
    inFlightUploads: createInFlightUploads(database, server.services.stagings.disk.path),
    maxDurationSeconds: config.maxDurationSeconds,
    maxSizeBytes: config.uploadMaxBytes,
  })
  const job = {
    accountId: row.account_id,
    projectId,
    fileId: file.id,
    stagingName: row.arriving_upload ?? '',
  }
  await takeUp(job, new AbortController().signal, { number: 2 })
  await expectNothingPlays(file, name)
  expect(await file.get()).toMatchObject({ Status: 'created', IsPlayable: false })
  await file.send(remuxed.ts, half(remuxed.ts), remuxed.ts.length)
  expect(await whenFinished(file)).toMatchObject({ Status: 'finished' })
  expect(await countFrames(file.hlsUrl)).toBe(480)
})

test('a file with its index at the end is not checked again before it is complete', async () => {
  const file = await create()
  await file.send(indexLast, 0, indexLast.length - 1)
  await waitFor(
    () => uploadOf(file),
    (row) => row?.look_at_bytes === null,
  )
  expect(await file.get()).toMatchObject({ Status: 'created', IsPlayable: false })
})

const uploadOf = ({ id }: InFlightFile) =>
  server.services.database.kysely
    .selectFrom('uploads')
    .select(['look_at_bytes', 'staging_name'])
    .where('file_id', '=', id)
    .executeTakeFirst()

const renditionCount = async ({ id }: InFlightFile): Promise<number> =>
  (
    await server.services.database.kysely
      .selectFrom('renditions')
      .select('id')
      .where('file_id', '=', id)
      .execute()
  ).length

const expectNothingPlays = async (file: InFlightFile, mediaName: string): Promise<void> => {
  for (const name of ['main.m3u8', mediaName, mediaName.replace('playlist.m3u8', '0.m4s')])
    expect((await file.hls(name)).status).toBe(404)
}

test.each([
  ['', () => fastStart],
  [', and the copy of them,', () => remuxed.mkv],
])(
  'bytes with a wrong checksum withdraw their playable part%s at the end of the upload',
  async (_copy, sourceOf) => {
    const source = sourceOf()
    const file = await halfReceived(source, { Checksum: '0'.repeat(64) })
    const { name } = await playlistOf(file, 'video')
    expect((await file.send(source, half(source), source.length)).status).toBe(400)
    expect(await file.get()).toMatchObject({
      Status: 'created',
      IsPlayable: false,
      Renditions: [],
      Playouts: [{ HLS: null }],
    })
    await expectNothingPlays(file, name)
    expect(await file.events()).toEqual([
      'file.created',
      'file.playable',
      'file.released',
      'file.updated',
      'file.unreleased',
    ])
    expect(await renditionCount(file)).toBe(0)
  },
)

test('an upload that is abandoned while it plays leaves nothing', async () => {
  const file = await halfReceived(fastStart)
  const { name } = await playlistOf(file, 'video')
  const upload = await uploadOf(file)
  const answer = await request(file.url, 'DELETE', { headers: { 'Tus-Resumable': '1.0.0' } })
  expect(answer.status).toBe(204)
  await expectNothingPlays(file, name)
  await waitFor(
    () => renditionCount(file),
    (count) => count === 0,
  )
  expect(await readdir(join(server.dataFolder, 'uploads'))).not.toContain(upload?.staging_name)
})

test('an upload that restarts with other bytes plays those once they are complete', async () => {
  const file = await create()
  const sending = beginUpload(file.url, fastStart, { sentBytes: half(fastStart) })
  await whenPlayable(file)
  const { name } = await playlistOf(file, 'video')
  sending.cut()
  // Has the same size, which is known by now.
  const free = Buffer.alloc(fastStart.length - indexLast.length)
  free.writeUInt32BE(free.length)
  free.write('free', 4)
  expect((await request(file.url, 'PUT', { body: Buffer.concat([indexLast, free]) })).status).toBe(200)
  expect(await whenFinished(file)).toMatchObject({ Status: 'finished', Properties: { Length: 2 } })
  expect((await file.hls(name)).status).toBe(404)
  expect(await countFrames(file.hlsUrl)).toBe(60)
})

test('a file whose rest is not what its playable start suggested becomes playable like any other, or fails like any other', async () => {
  const file = await halfReceived(fragmented)
  const { name } = await playlistOf(file, 'video')
  // The second half is not a valid box: only a remux can extract the first.
  await file.send(Buffer.alloc(fragmented.length, 1), half(fragmented), fragmented.length)
  const end = await whenFinished(file)
  expect(['finished', 'failed']).toContain(end.Status)
  expect(end.IsPlayable).toBe(end.Status === 'finished')
  const events = await file.events()
  expect(events.slice(0, 6)).toEqual([
    'file.created',
    'file.playable',
    'file.released',
    'file.updated',
    'file.unreleased',
    'file.uploaded',
  ])
  expect((await file.hls(name)).status).toBe(404)
})

test('an in-progress upload is visible only to viewers who may see the complete file', async () => {
  const secret = await halfReceived(fastStart, { Metadata: {} })
  const { name } = await playlistOf(secret, 'video')
  await expectNothingPlays(secret, name)
  const { body } = await server.call('GET', `/projects/${projectId}/files/${secret.id}/playouts`)
  expect((await request(body.Playouts[0].Preview.HLS, 'GET')).status).toBe(200)
  const path = `/projects/${projectId}/files/${secret.id}`
  await server.call('PUT', `${path}/metadata`, { body: { ReleaseStatus: 'published' } })
  expect((await secret.hls(name)).status).toBe(200)
  const { body: project } = await server.call('GET', `/projects/${projectId}`)
  await server.call('PUT', `/projects/${projectId}`, { body: { Name: project.Name, TokenSecurity: true } })
  expect((await secret.hls(name)).status).toBe(403)
  await server.call('PUT', `/projects/${projectId}`, { body: { Name: project.Name, TokenSecurity: false } })
  await server.call('DELETE', path)
  await expectNothingPlays(secret, name)
  // Some bytes may be missing after the restore: the file plays again when it is complete.
  await server.call('POST', `${path}/restore`)
  expect(await secret.get()).toMatchObject({ Status: 'created', IsPlayable: false })
  await secret.send(fastStart, half(fastStart), fastStart.length)
  expect(await whenFinished(secret)).toMatchObject({ Status: 'finished' })
})

test('announcing a replacement withdraws the playable part of an incomplete upload', async () => {
  const file = await halfReceived(fastStart)
  const { name } = await playlistOf(file, 'video')
  const path = `/projects/${projectId}/files/${file.id}`
  const { status, body } = await server.call('PUT', `${path}/replace`, { body: { FileName: 'new.mp4' } })
  expect(status).toBe(200)
  await expectNothingPlays(file, name)
  expect((await file.send(fastStart, half(fastStart), fastStart.length)).status).toBe(404)
  await request(body.Upload.URI, 'PUT', { body: indexLast })
  expect(await whenFinished(file)).toMatchObject({ Status: 'finished', Properties: { Length: 2 } })
})
