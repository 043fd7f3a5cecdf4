import { expect, test } from 'vitest'
import { makeMedia } from '../../../test/support/media.ts'
import type { Download } from '../../library/files/record/parts/mp4-download.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { createDownloadMovies } from '../downloads/download-movies.ts'
import { createPassthroughSources, type PassthroughRendition } from './passthrough-sources.ts'

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=25:duration=4']
const bytes = await makeMedia([...picture, '-c:v', 'libx264', '-g', '25', '-pix_fmt', 'yuv420p'])

/** Serves the same source under any name; the blob `slow` waits until `open` is called. */
const createBlobs = () => {
  const opened = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const blobs: Pick<BlobStore, 'stat' | 'read'> = {
    stat: async () => ({ sizeBytes: bytes.length }) as Awaited<ReturnType<BlobStore['stat']>>,
    read: async (key, range) => {
      if (key === 'slow') {
        asked.resolve()
        await opened.promise
      }
      return bytes.subarray(range?.start, range?.end)
    },
  }
  return { blobs: blobs as BlobStore, isAsked: asked.promise, open: opened.resolve }
}

const renditionOf = (blob: string): PassthroughRendition => ({
  media_blob: blob,
  kind: 'video',
  track_id: null,
})
const downloadOf = (blob: string) =>
  ({ video: { ...renditionOf(blob), id: 1, delivery: 'in_place' }, audio: null }) as unknown as Download

test('a request that waits for an index gets it even when the cache has evicted it', async () => {
  const { blobs, isAsked, open } = createBlobs()
  const oneIndexBytes = 100 * 29 + 500
  const sources = createPassthroughSources(blobs, oneIndexBytes)
  const waiting = sources.segment(renditionOf('slow'), 0)
  await isAsked
  for (const blob of ['a', 'b', 'c']) expect(await sources.track(renditionOf(blob))).not.toBeNull()
  open()
  expect((await waiting)?.length).toBeGreaterThan(1)
})

test('a download fails when a segment became shorter', async () => {
  const sources = createPassthroughSources(createBlobs().blobs)
  const download = createDownloadMovies(createBlobs().blobs, {
    ...sources,
    segment: async (rendition, index) => (await sources.segment(rendition, index))?.slice(0, -1) ?? null,
  })
  const movie = await download.open(downloadOf('a'))
  const read = async () => Array.fromAsync(movie.read({ start: 0, end: movie.sizeBytes }))
  await expect(read()).rejects.toThrow('shorter than before')
})

test('a video with an index too large to cache has no download and is opened only once', async () => {
  const sources = createPassthroughSources(createBlobs().blobs)
  let opened = 0
  const track: typeof sources.track = (rendition) => {
    opened += 1
    return sources.track(rendition)
  }
  const movies = createDownloadMovies(createBlobs().blobs, { ...sources, track }, 100)
  for (let time = 0; time < 3; time++)
    await expect(movies.open(downloadOf('a'))).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('too long'),
    })
  expect(opened).toBe(1)
})
