import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countFrames, makeSample } from '../../../../test/support/media.ts'
import { makeSubtitled } from '../../../../test/support/subtitled.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { makePicture } from '../../../library/pictures/test-support/sample-pictures.ts'
import { createOnDemandHands } from '../test-support/on-demand-hands.ts'

const run = promisify(execFile)

let server: TestServer
let hands: ReturnType<typeof createOnDemandHands>
let folder: string

beforeAll(async () => {
  server = await startTestServer()
  hands = createOnDemandHands(server, { Renditions: [{ Height: 64 }, { Height: 90 }, { Height: 180 }] })
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-options-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
  await server.stop()
})

/** Returns a segment on demand that can be decoded by itself. */
const segmentOf = async (base: string, renditionId: number, index: number): Promise<string> => {
  const init = await hands.fetchMedia(`${base}/${renditionId}/init.mp4`)
  const segment = await hands.play(`${base}/${renditionId}/${index}.m4s`)
  expect([init.status, segment.status]).toEqual([200, 200])
  const path = join(folder, `${renditionId}-${index}.mp4`)
  await writeFile(path, Buffer.concat([init.body, segment.body]))
  return path
}

const greyOf = async (path: string, crop: string): Promise<number> => {
  const filter = `crop=${crop},format=gray,scale=1:1:flags=area`
  const args = ['-v', 'error', '-i', path, '-vf', filter, '-frames:v', '1', '-f', 'rawvideo', '-']
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer' })
  return stdout[0] ?? 0
}

const loudnessOf = async (url: string): Promise<number> => {
  const { stderr } = await run('ffmpeg', [
    ...['-hide_banner', '-nostats', '-i', url, '-vn', '-af', 'ebur128=framelog=verbose', '-f', 'null', '-'],
  ])
  return Number(/I:\s+(-[\d.]+) LUFS/.exec(stderr)?.[1])
}

test('draws the watermark in segments on demand, also after the project has removed it', async () => {
  const projectId = await hands.newProject()
  // The upper left quarter is white, the rest black.
  const picture = await makePicture({ extension: 'png', size: '64x32', isCornerWhite: true })
  const watermark = `/projects/${projectId}/watermark`
  const put = await server.call('PUT', watermark, {
    body: picture,
    headers: { 'Content-Type': 'image/png' },
  })
  expect(put.status).toBe(200)
  const sample = await makeSample({ seconds: 8, size: '320x180' })
  const { file, base, played, rungs } = await hands.list(sample, projectId)
  expect(file).toMatchObject({ Status: 'finished', HasErrors: false })
  expect(played).toMatchObject({ Name: '64p', State: 'ready' })
  expect(rungs).toMatchObject([
    { Name: '180p', State: 'on-demand' },
    { Name: '90p', State: 'on-demand' },
  ])
  expect((await server.call('DELETE', watermark)).status).toBe(200)
  for (const { Id, Name } of rungs)
    for (const index of [0, 2]) {
      const path = await segmentOf(base, Id, index)
      const scale = Name === '180p' ? 1 : 0.5
      const at = (x: number, y: number) => `8:4:${x * scale}:${y * scale}`
      // The watermark is 48 × 24 of 320 × 180, in the lower right corner.
      expect(await greyOf(path, at(268, 150))).toBeGreaterThan(190)
      expect(await greyOf(path, at(294, 160))).toBeLessThan(60)
    }
})

test('a file with normalized loudness has its rungs on demand, and their downloads have its audio', async () => {
  const projectId = await hands.newProject({ EncoderSettings: { NormalizeLoudness: true } })
  const sample = await makeSample({ seconds: 4, size: '320x180', extra: ['-af', 'volume=-8dB'] })
  const { file, base, played, rungs } = await hands.list(sample, projectId)
  expect(file).toMatchObject({ Status: 'finished', HasErrors: false })
  expect(played).toMatchObject({ Name: 'source', State: 'ready' })
  const audio = file.Renditions.find(({ Type }: { Type: string }) => Type === 'audio')
  expect(audio).toMatchObject({ State: 'ready' })
  expect(audio.Name).not.toBe('source')
  await segmentOf(base, rungs[0]!.Id, 1)
  const download = `${base}/download.mp4?rendition=${rungs[0]!.Id}`
  expect((await hands.fetchMedia(download)).status).toBe(202)
  await hands.encodeWanted()
  const movie = await hands.fetchMedia(download)
  expect(movie.status).toBe(200)
  const path = join(folder, 'normalized.mp4')
  await writeFile(path, movie.body)
  // Peaks stay below -2 dBFS, so a sine stays quieter than -16 LUFS.
  expect(await loudnessOf(path)).toBeCloseTo(-19, 0)
  expect(await countFrames(path)).toBe(120)
})

test('a clip of a file whose rungs are cold plays at once and has its own rungs on demand', async () => {
  const projectId = await hands.newProject()
  const sample = await makeSample({ seconds: 8, size: '320x180' })
  const source = await hands.list(sample, projectId)
  const made = await server.call('POST', `/projects/${projectId}/files/${source.ids.fileId}/clips`, {
    body: { StartTime: 2.5, EndTime: 7, Metadata: { ReleaseStatus: 'published' } },
  })
  expect(made.status).toBe(201)
  const ids = { projectId, fileId: made.body.Id as number }
  await hands.clip(ids)
  await hands.process(ids)
  const clip = await hands.describe(ids)
  expect(clip.file).toMatchObject({ Status: 'finished', LadderMode: 'on-demand', HasErrors: false })
  expect(clip.played).toMatchObject({ Name: 'source', State: 'ready' })
  expect(clip.rungs).toMatchObject([
    { Name: '90p', State: 'on-demand' },
    { Name: '64p', State: 'on-demand' },
  ])
  const [rung] = clip.rungs
  const end = await hands.countSegments(`${clip.base}/${rung!.Id}/playlist.m3u8`)
  for (let index = 0; index < end; index++) await segmentOf(clip.base, rung!.Id, index)
  // The clip begins two frames after the start of its timeline. The rung shows its first picture there.
  const sourceFrames = await countFrames(`${clip.base}/${clip.played.Id}/playlist.m3u8`)
  expect(await countFrames(`${clip.base}/${rung!.Id}/playlist.m3u8`)).toBe(sourceFrames + 2)
  expect(await hands.chunksOf(source.ids.fileId)).toEqual([])
  expect((await hands.describe(source.ids)).rungs).toEqual(source.rungs)
})

test('captions, storyboard and thumbnails of a file need none of its rungs', async () => {
  const sources = {
    source: await makeSubtitled('mp4', [
      {
        ...{ extension: 'srt', language: 'eng' },
        text: '1\n00:00:01,000 --> 00:00:02,500\nIt plays at once.\n',
      },
    ]),
    '64p': await makeSample({ seconds: 3, size: '320x180', videoCodec: 'mpeg4' }),
  }
  for (const [name, bytes] of Object.entries(sources)) {
    const { ids, base, played, rungs } = await hands.list(bytes, await hands.newProject())
    expect(played).toMatchObject({ Name: name, State: 'ready' })
    expect(rungs.map(({ State }) => State)).toEqual(['on-demand', 'on-demand'])
    await hands.storyboard(ids)
    const { Playouts, Captions } = await hands.get(ids)
    const tracks = (await hands.fetchMedia(Playouts[0].Storyboard)).body.toString()
    const [sheet] = /storyboard\/[^#\s]+/.exec(tracks) ?? []
    for (const url of [`${base}/${sheet}`, `${base}/thumbnail.jpg?time=1.5`]) {
      const { status, headers, body } = await hands.fetchMedia(url)
      expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect(body.length).toBeGreaterThan(500)
    }
    if (name === 'source') {
      expect(Captions).toMatchObject([{ Language: 'en', Origin: 'source' }])
      expect((await hands.fetchMedia(Captions[0].URI)).body.toString()).toContain('It plays at once.')
      expect((await hands.fetchMedia(`${base}/main.m3u8`)).body.toString()).toMatch(
        /#EXT-X-STREAM-INF:[^\n]*SUBTITLES="[^\n]*\n\d+\/playlist/,
      )
    }
    expect(await hands.chunksOf(ids.fileId)).toEqual([])
    await segmentOf(base, rungs[0]!.Id, 0)
  }
})
