import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { parseMultivariantPlaylist } from '@zoetrope/hls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { makeSample } from '../../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { ladderPriority } from '../../../library/files/queue/ladder-priority.ts'
import { makePicture } from '../../../library/pictures/test-support/sample-pictures.ts'

const run = promisify(execFile)

let server: TestServer
let hands: ReturnType<typeof createHands>
/** Plays by passthrough if the settings allow it. */
let sample: Buffer

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  sample = await makeSample({ seconds: 3, size: '320x180', extra: ['-af', 'volume=-8dB'] })
})

afterAll(() => server.stop())

const kysely = () => server.services.database.kysely

const renditionsOf = (fileId: number) =>
  kysely().selectFrom('renditions').selectAll().where('file_id', '=', fileId).orderBy('id').execute()

const waitingJobs = async (fileId: number): Promise<object[]> => {
  const jobs = await server.services.database.sql<
    { data: { fileId: number; isLater?: true }; priority: number }[]
  >`
    select data, priority from pgboss.job where name = 'file.ladder' and state = 'created' order by priority desc`
  return jobs
    .filter(({ data }) => data.fileId === fileId)
    .map(({ data, priority }) => ({ isLater: data.isLater ?? false, priority }))
}

const expectExactCounters = async (projectId: number, fileId: number): Promise<void> => {
  const file = await hands.rowOf(fileId)
  const renditions = await renditionsOf(fileId)
  const pictures = await kysely()
    .selectFrom('file_pictures')
    .selectAll()
    .where('file_id', '=', fileId)
    .execute()
  const bytes = [...renditions, ...pictures].reduce((sum, { size_bytes }) => sum + size_bytes, 0)
  expect(file.storage_bytes).toBe(bytes + (file.source_size_bytes ?? 0) + (file.storyboard?.sizeBytes ?? 0))
  expect((await server.call('GET', `/projects/${projectId}`)).body.StorageBytes).toBe(file.storage_bytes)
}

const greyOf = async (url: string, crop: string): Promise<number> => {
  const filter = `crop=${crop},format=gray,scale=1:1:flags=area`
  const args = ['-v', 'error', '-i', url, '-vf', filter, '-frames:v', '1', '-f', 'rawvideo', '-']
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer' })
  return stdout[0] ?? 0
}

describe('a project with every option', () => {
  let projectId: number
  let fileId: number

  beforeAll(async () => {
    projectId = await hands.newProject({
      EncoderSettings: {
        Renditions: [{ Height: 180 }, { Height: 90 }],
        VideoCodecs: ['av1', 'hevc'],
        NormalizeLoudness: true,
        KeepOriginal: false,
      },
    })
    const picture = await makePicture({ extension: 'png', size: '64x32', isCornerWhite: true })
    const answer = await server.call('PUT', `/projects/${projectId}/watermark`, {
      body: picture,
      headers: { 'Content-Type': 'image/png' },
    })
    expect(answer.status).toBe(200)
    const ids = await hands.upload(projectId, sample)
    fileId = ids.fileId
    await hands.process(ids)
    expect(await hands.get(ids)).toMatchObject({ Status: 'playable', IsEncoded: true })
    await hands.ladder(ids)
  })

  const playlist = async () => {
    const { Playouts } = await hands.get({ projectId, fileId })
    return { uris: Playouts[0], ...parseMultivariantPlaylist((await request(Playouts[0].HLS, 'GET')).body) }
  }

  test('encodes its H.264 ladder first and other codecs after the ladders of other files', async () => {
    expect(await hands.get({ projectId, fileId })).toMatchObject({ Status: 'playable' })
    const { variants } = await playlist()
    expect(variants.map(({ codecs: [codec = ''] }) => codec.slice(0, 4))).toEqual(['avc1', 'avc1', 'mp4a'])
    // The first step queued the first job; the test has run it itself.
    expect(await waitingJobs(fileId)).toEqual([
      { isLater: false, priority: 2_050 },
      { isLater: true, priority: 50 },
    ])
  })

  test('then lists each codec in HLS and DASH by its exact name and removes the source', async () => {
    await hands.ladderJob({ ...(await hands.jobOf({ projectId, fileId })), isLater: true } as never)
    const file = await hands.get({ projectId, fileId })
    expect(file).toMatchObject({ Status: 'finished', EncodingProgress: 100, HasErrors: false })
    const { variants, uris } = await playlist()
    expect(variants.map(({ codecs }) => codecs[0])).toEqual([
      expect.stringMatching(/^avc1\.64[0-9a-f]{4}$/),
      expect.stringMatching(/^avc1\.64[0-9a-f]{4}$/),
      expect.stringMatching(/^hvc1\.1\.6\.L\d+\.[0-9A-F]/i),
      expect.stringMatching(/^hvc1\.1\.6\.L\d+\.[0-9A-F]/i),
      expect.stringMatching(/^av01\.0\.\d\dM\.08\.0\.11\d\.01\.01\.01\.0$/),
      expect.stringMatching(/^av01\.0\.\d\dM\.08\.0\.11\d\.01\.01\.01\.0$/),
      'mp4a.40.2',
    ])
    const mpd = (await request(uris.DASH, 'GET')).body as string
    expect(mpd.match(/contentType="video"/g)).toHaveLength(3)
    expect((await renditionsOf(fileId)).every(({ delivery }) => delivery === 'packaged')).toBe(true)
    await expectExactCounters(projectId, fileId)
  })

  test('draws its watermark in every rung and codec', async () => {
    const { variants, uris } = await playlist()
    const base = uris.HLS.replace('main.m3u8', '')
    for (const { uri, resolution } of variants.filter(({ resolution: size }) => size !== undefined)) {
      const { widthPixels = 0 } = resolution ?? {}
      const at = (x: number, y: number) => {
        const [left, top] = [x, y].map((one) => 2 * Math.round((one * widthPixels) / 640))
        return `8:4:${left}:${top}`
      }
      // The watermark is 48 × 24 of 320 × 180, in the lower right corner. Its upper left quarter is white,
      // the rest black.
      expect(await greyOf(base + uri, at(268, 150))).toBeGreaterThan(190)
      expect(await greyOf(base + uri, at(294, 160))).toBeLessThan(60)
    }
  })

  test('normalizes its loudness', async () => {
    const { renditions, uris } = await playlist()
    const url = uris.HLS.replace('main.m3u8', renditions[0]?.uri ?? '')
    const { stderr } = await run('ffmpeg', [
      ...['-hide_banner', '-nostats', '-i', url, '-af', 'ebur128=framelog=verbose', '-f', 'null', '-'],
    ])
    expect(Number(/I:\s+(-[\d.]+) LUFS/.exec(stderr)?.[1])).toBeCloseTo(-19, 0)
  })

  test('reports what is impossible without the source', async () => {
    const path = `/projects/${projectId}/files/${fileId}`
    const retry = await server.call('POST', `${path}/retry?force=true`)
    expect([retry.status, retry.body.error.message]).toEqual([409, expect.stringContaining('KeepOriginal')])
    const still = await server.call('POST', `${path}/pictures`, { body: { Position: 1 } })
    expect([still.status, still.body.error.message]).toEqual([
      409,
      expect.stringContaining('no longer stored'),
    ])
    const clip = await server.call('POST', `${path}/clips`, { body: { StartTime: 0, EndTime: 1 } })
    expect([clip.status, clip.body.error.message]).toEqual([409, expect.stringContaining('not stored')])
  })

  test('removes the bytes of the source and accepts a new one by replace', async () => {
    const { source_blob: blob } = await hands.rowOf(fileId)
    await kysely()
      .updateTable('discarded_media')
      .set({ remove_after: new Date(0) })
      .execute()
    await hands.housekeeping()
    expect(await server.services.blobs.stat(blob ?? '')).toBeNull()
    const path = `/projects/${projectId}/files/${fileId}`
    const { body } = await server.call('PUT', `${path}/replace`, { body: { FileName: 'new.mp4' } })
    expect((await request(body.Upload.URI, 'PUT', { body: sample })).status).toBe(200)
    await server.call('PUT', `/projects/${projectId}`, {
      body: { EncoderSettings: { VideoCodecs: null, KeepOriginal: null } },
    })
    await hands.finish({ projectId, fileId })
    expect(await hands.get({ projectId, fileId })).toMatchObject({ Status: 'finished' })
    expect(await hands.rowOf(fileId)).toMatchObject({ source_removed_at: null })
    expect((await server.call('POST', `${path}/retry?force=true`)).status).toBe(200)
  })
})

test('keeps a source served by passthrough, whatever KeepOriginal is', async () => {
  const projectId = await hands.newProject({ EncoderSettings: { KeepOriginal: false } })
  const ids = await hands.upload(projectId, sample)
  await hands.finish(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished' })
  const file = await hands.rowOf(ids.fileId)
  expect(file).toMatchObject({ source_removed_at: null, source_size_bytes: sample.length })
  expect(await server.services.blobs.stat(file.source_blob ?? '')).toMatchObject({
    sizeBytes: sample.length,
  })
  await expectExactCounters(projectId, ids.fileId)
})

test('ranks first steps before later ones and applies EncodingPriority within each', () => {
  const priority = (encoding_priority: number, isLater: boolean, hasBegun: boolean) =>
    ladderPriority({ encoding_priority }, { isLater, hasBegun })
  const rising = [
    priority(0, true, false),
    priority(100, true, false),
    priority(0, true, true),
    priority(0, false, false),
    priority(100, false, false),
    priority(0, false, true),
  ]
  expect(rising).toEqual(rising.toSorted((a, b) => a - b))
  expect(new Set(rising).size).toBe(rising.length)
})
