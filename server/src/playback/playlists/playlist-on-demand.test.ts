import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseMediaPlaylist, parseMultivariantPlaylist } from '@zoetrope/hls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countFrames, makeSample } from '../../../test/support/media.ts'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { evictRungs } from '../../ingest/encoding/on-demand/eviction/evict-rungs.ts'
import { withdrawOnDemand } from '../../ingest/encoding/on-demand/settle-on-demand.ts'
import { createOnDemandHands } from '../../ingest/encoding/test-support/on-demand-hands.ts'

let server: TestServer
let hands: ReturnType<typeof createOnDemandHands>
let small: Buffer
let large: Buffer
let folder: string

const seconds = 6
/** Of each file. */
const pictures = [seconds * 30, seconds * 30]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-playlist-'))
  server = await startTestServer()
  hands = createOnDemandHands(server, { Renditions: [{ Height: 240 }, { Height: 360 }] })
  const extra = ['-preset', 'ultrafast']
  small = await makeSample({ seconds, size: '854x480', extra })
  large = await makeSample({ seconds, size: '1280x720', extra })
})

afterAll(async () => {
  await rm(folder, { recursive: true })
  await server.stop()
})

type Listed = Awaited<ReturnType<typeof hands.list>>

const makePlaylist = async () => {
  const files = [
    await hands.list(small, await hands.newProject()),
    await hands.list(large, await hands.newProject()),
  ] as const
  const made = await server.call('POST', '/modules/playlists', {
    body: {
      Name: 'Playlist',
      ReleaseStatus: 'published',
      Elements: files.map(({ ids }) => ({ FileId: ids.fileId })),
    },
  })
  expect(made.status).toBe(201)
  const [first, second] = files
  return { first, second, main: `${server.url}/v/${made.body.Playouts[0].Id}/main.m3u8` }
}

const textOf = async (url: string): Promise<string> => {
  const { status, body } = await hands.fetchMedia(url)
  expect(status).toBe(200)
  return body.toString()
}

const variantsOf = async (main: string) =>
  parseMultivariantPlaylist(await textOf(main)).variants.map(({ uri, resolution }) => ({
    height: resolution?.heightPixels ?? 0,
    url: new URL(uri, main).href,
  }))

/** URL of the media playlist of the variant with this height. */
const variantOf = async (main: string, height: number): Promise<string> =>
  (await variantsOf(main)).find((variant) => variant.height === height)?.url ?? ''

const segmentsIn = async (url: string) => {
  const media = parseMediaPlaylist(await textOf(url))
  const segments = media.segments.map((segment) => ({ initUri: media.initUri, ...segment }))
  const border = segments.findLastIndex(({ discontinuity }) => discontinuity === true)
  return { segments, border, urls: segments.map(({ uri }) => new URL(uri, url).href) }
}

const idOf = ({ rungs }: Listed, name: string): number => rungs.find(({ Name }) => Name === name)!.Id

/** Makes the rung unwatched for a month, then evicts it. */
const evict = async ({ ids }: Listed): Promise<void> => {
  await server.services.database.sql`
    update on_demand_renditions set made_at = now() - interval '31 days', watched_at = null where file_id = ${ids.fileId}`
  await server.services.database.sql`
    update on_demand_chunks set wanted_until = now(), leased_until = null where file_id = ${ids.fileId}`
  await evictRungs(hands.dependencies, 30)
}

/** Loads these segments of one file, and returns their number of pictures. */
const countPictures = async (initUrl: string, urls: readonly string[]): Promise<number> => {
  const pieces = [await hands.fetchMedia(initUrl)]
  for (const url of urls) pieces.push(await hands.play(url))
  expect(pieces.map(({ status }) => status)).toEqual(pieces.map(() => 200))
  const path = join(folder, 'pieces.mp4')
  await writeFile(path, Buffer.concat(pieces.map(({ body }) => body)))
  return countFrames(path)
}

/** Plays a variant from its start to its end. Returns the number of pictures of each file. */
const watch = async (url: string): Promise<number[]> => {
  const { segments, urls, border } = await segmentsIn(url)
  const initOf = (at: number) => new URL(segments[at]!.initUri, url).href
  return [
    await countPictures(initOf(0), urls.slice(0, border)),
    await countPictures(initOf(border), urls.slice(border)),
  ]
}

test('offers a common rung that is cold, and encodes its segments across the border of two files', async () => {
  const { first, second, main } = await makePlaylist()
  const variants = await variantsOf(main)
  // Players begin with what plays at once.
  expect(variants.map(({ height }) => height)).toEqual([720, 480, 360, 240])
  const common = await variantOf(main, 360)
  const { segments, border, urls } = await segmentsIn(common)
  expect(segments[border - 1]?.uri).toContain(`/${idOf(first, '360p')}/aligned/`)
  expect(segments[border]?.uri).toContain(`/${idOf(second, '360p')}/aligned/`)
  expect(await hands.chunksOf(first.ids.fileId)).toEqual([])
  for (const at of [border - 1, border]) {
    const { initUri, durationSeconds } = segments[at]!
    const count = await countPictures(new URL(initUri, common).href, [urls[at]!])
    expect(count).toBe(Math.round(durationSeconds * 30))
  }
  // The first file has only its last segment.
  expect((await hands.chunksOf(first.ids.fileId)).filter(({ state }) => state === 'ready')).toHaveLength(1)
  expect(await watch(common)).toEqual(pictures)
  for (const { ids } of [first, second])
    expect(await hands.rungOf(ids, '360p')).toMatchObject({ State: 'ready' })
})

test('plays on across a rung that is evicted, also when its former segments are removed', async () => {
  const { first, second, main } = await makePlaylist()
  const before = await variantOf(main, 360)
  const { border, urls } = await segmentsIn(before)
  const began = await hands.play(urls[border]!)
  expect(began.status).toBe(200)
  await hands.encodeWanted()
  await evict(second)
  const cold = await hands.rungOf(second.ids, '360p')
  expect(cold).toMatchObject({ State: 'on-demand' })
  expect(cold.Id).not.toBe(idOf(second, '360p'))
  // A player with the former playlist.
  expect(await watch(before)).toEqual(pictures)
  const after = await variantOf(main, 360)
  expect((await segmentsIn(after)).segments[border]?.uri).toContain(`/${cold.Id}/aligned/`)
  await hands.removeAllGarbage()
  const moved = await segmentsIn(before)
  expect(moved.segments[border]?.uri).toContain(`/${cold.Id}/aligned/`)
  expect(moved.segments[0]?.uri).toContain(`/${idOf(first, '360p')}/aligned/`)
  expect(await watch(before)).toEqual(pictures)
})

test('plays another rung of a file in place of one that is withdrawn', async () => {
  const { first, second, main } = await makePlaylist()
  const [before, lowest] = [await variantOf(main, 360), await variantOf(main, 240)]
  for (const name of ['360p', '240p']) {
    await withdrawOnDemand(hands.dependencies, idOf(second, name))
    const { segments, border } = await segmentsIn(before)
    expect(segments[border - 1]?.uri).toContain(`/${idOf(first, '360p')}/aligned/`)
    const left = name === '360p' ? idOf(second, '240p') : second.played.Id
    expect(segments[border]?.uri).toContain(`/${left}/aligned/`)
  }
  expect(await watch(before)).toEqual(pictures)
  expect(await watch(lowest)).toEqual(pictures)
  for (const { url } of await variantsOf(main)) {
    const { segments, border } = await segmentsIn(url)
    expect(segments[border]?.uri).toContain(`/${second.played.Id}/aligned/`)
  }
})

test('leaves out cold rungs of files whose project has used its minutes of the day', async () => {
  const { first, second, main } = await makePlaylist()
  const { account_id: accountId } = await hands.rowOf(first.ids.fileId)
  await server.services.database.kysely
    .insertInto('on_demand_days')
    .values({
      ...{ account_id: accountId, project_id: first.ids.projectId, encoded_seconds: 3_000 * 60 },
      day: new Date().toISOString().slice(0, 10),
    })
    .execute()
  const variants = await variantsOf(main)
  expect(variants.length).toBeGreaterThan(1)
  const offered: string[] = []
  for (const { url } of variants) {
    const { segments, border } = await segmentsIn(url)
    expect(segments[0]?.uri).toContain(`/${first.played.Id}/aligned/`)
    offered.push(segments[border]!.uri)
  }
  expect(offered.join()).toContain(`/${idOf(second, '360p')}/aligned/`)
})

test('leaves out cold rungs of a project for which encoders are late', async () => {
  const { first, second, main } = await makePlaylist()
  const url = (await segmentsIn(await variantOf(main, 360))).urls.at(-1)!
  for (let wait = 0; wait < 2; wait++) expect((await hands.fetchMedia(url)).status).toBe(307)
  const offered: string[] = []
  for (const variant of await variantsOf(main)) {
    const { segments, border } = await segmentsIn(variant.url)
    expect(segments[border]!.uri).toContain(`/${second.played.Id}/aligned/`)
    offered.push(segments[0]!.uri)
  }
  expect(offered.join()).toContain(`/${idOf(first, '360p')}/aligned/`)
  await hands.encodeWanted()
  expect(await hands.rungOf(second.ids, '360p')).toMatchObject({ State: 'partial' })
  expect((await variantsOf(main)).length).toBe(4)
})
