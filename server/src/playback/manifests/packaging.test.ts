import { parseMediaPlaylist, parseMultivariantPlaylist, type Variant } from '@zoetrope/hls'
import { readMovie, type Track } from '@zoetrope/isobmff'
import { timelineStartSeconds } from '@zoetrope/packager'
import { execFile } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSample } from '../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'

/**
 * Requirements of RFC 8216bis (section numbers beside the checks), CMAF and media players, checked over HTTP
 * on a real ladder.
 */

let server: TestServer
let base: string

interface Served {
  readonly segments: { readonly durationSeconds: number; readonly bytes: Buffer; readonly track: Track }[]
  readonly init: Buffer
  readonly targetDurationSeconds: number
}

let multivariant: ReturnType<typeof parseMultivariantPlaylist>
const videos = new Map<Variant, Served>()
let audio: Served

const text = async (path: string): Promise<string> => (await fetch(base + path)).text()
const bytes = async (path: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(base + path)).arrayBuffer())

const readTrack = async (file: Buffer): Promise<Track> => {
  const { tracks } = await readMovie({
    sizeBytes: file.length,
    read: async (offset, length) => file.subarray(offset, offset + length),
  })
  return tracks[0]!
}

const loadAll = async (playlistPath: string): Promise<Served> => {
  const playlist = parseMediaPlaylist(await text(playlistPath))
  const folder = playlistPath.replace(/[^/]+$/, '')
  const init = await bytes(folder + playlist.initUri)
  const segments = playlist.segments.map(async ({ uri, durationSeconds }) => {
    const segment = await bytes(folder + uri)
    return { durationSeconds, bytes: segment, track: await readTrack(Buffer.concat([init, segment])) }
  })
  const { targetDurationSeconds } = playlist
  return { init, segments: await Promise.all(segments), targetDurationSeconds }
}

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  const project = await server.call('POST', '/projects', {
    body: {
      Name: 'Packaging',
      DefaultReleaseStatus: 'published',
      EncoderSettings: { Renditions: [{ Height: 180 }, { Height: 144 }] },
    },
  })
  const path = `/projects/${project.body.Id}/files`
  const created = await server.call('POST', path, { body: { FileName: 'ladder.avi' } })
  const source = await makeSample({ seconds: 9, videoCodec: 'mpeg4', format: 'avi' })
  await request(created.body.Upload.URI, 'PUT', { body: source })
  const { body } = await waitFor(
    () => server.call('GET', `${path}/${created.body.Id}`),
    ({ body: file }) => file.IsFinished,
  )
  base = body.Playouts[0].HLS.replace('main.m3u8', '')
  multivariant = parseMultivariantPlaylist(await text('main.m3u8'))
  for (const variant of pictured()) videos.set(variant, await loadAll(variant.uri))
  audio = await loadAll(multivariant.renditions[0]?.uri ?? '')
})

afterAll(() => server.stop())

const pictured = () => multivariant.variants.filter(({ resolution }) => resolution !== undefined)

const peakOf = ({ segments }: Served, leastSeconds: number): number =>
  Math.max(
    ...segments
      .filter(({ durationSeconds }) => durationSeconds >= leastSeconds)
      .map((segment) => (segment.bytes.length * 8) / segment.durationSeconds),
  )

const average = ({ segments }: Served): number =>
  (segments.reduce((sum, segment) => sum + segment.bytes.length, 0) * 8) /
  segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)

const presented = ({ samples }: Track): number[] =>
  [...samples.decodeTimes].map((ticks, index) => ticks + samples.compositionOffsets[index]!)

describe('the multivariant playlist', () => {
  test('describes each variant', () => {
    expect(multivariant.independentSegments).toBe(true)
    expect(videos.size).toBe(2)
    for (const [variant, video] of videos) {
      const [first] = video.segments
      const { track } = first!
      // RFC 8216bis, section 4.4.6.2: CODECS lists every sample format of the variant and its groups, named
      // per RFC 6381.
      expect(variant.codecs).toEqual([track.codec, audio.segments[0]!.track.codec])
      expect(variant.codecs[0]).toMatch(/^avc1\.[0-9a-f]{6}$/)
      expect(variant.resolution).toEqual({
        widthPixels: track.widthPixels,
        heightPixels: track.heightPixels,
      })
      expect(variant.frameRate).toBe(30)
      expect(variant.videoRange).toBe('SDR')
    }
    // RFC 8216bis, section 4.4.6.1: a group that a variant references, with one default.
    expect(multivariant.renditions).toMatchObject([
      { type: 'AUDIO', groupId: 'audio', isDefault: true, isAutoselect: true },
    ])
    expect(multivariant.variants.every(({ audioGroupId }) => audioGroupId === 'audio')).toBe(true)
  })

  test('ends with the audio-only variant at the lowest bit rate', () => {
    const last = multivariant.variants.at(-1)
    expect(last).toMatchObject({
      uri: multivariant.renditions[0]?.uri,
      codecs: [audio.segments[0]!.track.codec],
      audioGroupId: 'audio',
    })
    expect(last?.resolution).toBeUndefined()
    const rates = multivariant.variants.map((one) => one.bandwidthBitsPerSecond)
    expect(last?.bandwidthBitsPerSecond).toBe(Math.min(...rates))
  })

  test('declares bit rates close to the measured ones', () => {
    for (const [variant, video] of videos) {
      // RFC 8216bis, section 4.4.6.2: the peak and average bit rates include the largest rendition of the
      // group. Section 4.1: a rate is measured over at least half of a target duration, so a short last
      // segment does not count on its own.
      const peak = (leastSeconds: number) => peakOf(video, leastSeconds) + peakOf(audio, leastSeconds)
      expect(variant.bandwidthBitsPerSecond).toBeGreaterThanOrEqual(peak(2))
      expect(variant.bandwidthBitsPerSecond).toBeLessThanOrEqual(peak(0) + 2)
      const averageBits = average(video) + average(audio)
      expect(Math.abs((variant.averageBandwidthBitsPerSecond ?? 0) - averageBits)).toBeLessThan(4)
    }
  })
})

describe('segments', () => {
  test('of all rungs start at the same times with a key frame and are contiguous', () => {
    const starts = [...videos.values()].map(({ segments }) =>
      segments.map(({ track }) => Math.min(...presented(track)) / track.timescale),
    )
    expect(starts[0]!.length).toBeGreaterThan(1)
    // RFC 8216bis, section 6.2.4: matching content has matching timestamps, so a player may switch variants
    // at any segment.
    for (const others of starts) expect(others).toEqual(starts[0])
    for (const { segments, targetDurationSeconds } of videos.values()) {
      for (const [index, { track, durationSeconds }] of segments.entries()) {
        // RFC 8216bis, section 4.4.2.1, EXT-X-INDEPENDENT-SEGMENTS; no frame is presented before the key
        // frame.
        expect(track.samples.isSync[0]).toBe(1)
        expect(Math.min(...presented(track))).toBe(presented(track)[0])
        // RFC 8216bis, section 4.4.3.1: no rounded EXTINF exceeds the target duration.
        expect(Math.round(durationSeconds)).toBeLessThanOrEqual(targetDurationSeconds)
        const next = starts[0]![index + 1]
        if (next !== undefined) expect(starts[0]![index]! + durationSeconds).toBeCloseTo(next, 5)
      }
    }
  })

  test('start at exactly one second, audio after its priming, with or without edit lists', () => {
    // There is no elst, composition offsets are 0 or more, and video and audio start at T0. ffmpeg, and players
    // built on it, show video late where an offset is negative.
    for (const { init, segments } of [...videos.values(), audio]) {
      expect(init.includes('elst')).toBe(false)
      for (const { track } of segments)
        expect(track.samples.compositionOffsets.every((offset) => offset >= 0)).toBe(true)
    }
    for (const { segments } of videos.values())
      expect(Math.min(...presented(segments[0]!.track))).toBe(
        timelineStartSeconds * segments[0]!.track.timescale,
      )
    const { track } = audio.segments[0]!
    expect(track.timescale).toBe(track.sampleRateHz)
    expect(track.samples.decodeTimes[0]).toBe(timelineStartSeconds * track.timescale - 1_024)
  })

  test('of audio are contiguous', () => {
    let end = audio.segments[0]!.track.samples.decodeTimes[0]!
    for (const { track } of audio.segments) {
      expect(track.samples.decodeTimes[0]).toBe(end)
      end += track.samples.durations.reduce((sum, duration) => sum + duration, 0)
    }
  })
})

describe('I-frame playlists', () => {
  const countPictures = (file: Buffer): Promise<number> =>
    new Promise((resolve, reject) => {
      const args = ['-v', 'quiet', '-f', 'mp4', '-i', 'pipe:0', '-f', 'framemd5', '-']
      const child = execFile('ffmpeg', args, (error, stdout) =>
        error === null ? resolve(stdout.match(/^0,/gm)?.length ?? 0) : reject(error),
      )
      child.stdin?.end(file)
    })

  test('list one decodable frame for each segment, with a matching bit rate', async () => {
    const { iFrameVariants = [] } = multivariant
    expect(iFrameVariants.map(({ codecs, resolution }) => [codecs, resolution])).toEqual(
      pictured().map(({ codecs, resolution }) => [[codecs[0]], resolution]),
    )
    for (const { uri, bandwidthBitsPerSecond } of iFrameVariants) {
      const playlist = parseMediaPlaylist(await text(uri))
      const variant = parseMediaPlaylist(await text(uri.replace('iframes', 'playlist')))
      // RFC 8216bis, section 4.4.3.6: an I-frame lasts until the next one or the end.
      expect(playlist).toMatchObject({ iFramesOnly: true, hasEnded: true, initUri: 'init.mp4' })
      expect(playlist.segments.map(({ durationSeconds }) => durationSeconds)).toEqual(
        variant.segments.map(({ durationSeconds }) => durationSeconds),
      )
      const folder = uri.replace('iframes.m3u8', '')
      const init = await bytes(`${folder}init.mp4`)
      for (const { uri: segmentUri, byteRange, durationSeconds } of playlist.segments) {
        const { offsetBytes = 0, lengthBytes = 0 } = byteRange ?? {}
        const range = `bytes=${offsetBytes}-${offsetBytes + lengthBytes - 1}`
        const answer = await fetch(base + folder + segmentUri, { headers: { Range: range } })
        const picture = Buffer.from(await answer.arrayBuffer())
        expect(picture.length).toBe(lengthBytes)
        expect(await countPictures(Buffer.concat([init, picture]))).toBe(1)
        // RFC 8216bis, section 4.1: rates are measured over at least half of the target duration.
        if (durationSeconds >= playlist.targetDurationSeconds / 2)
          expect(bandwidthBitsPerSecond).toBeGreaterThanOrEqual((lengthBytes * 8) / durationSeconds)
      }
    }
  })

  test('do not exist for audio', async () => {
    const uri = multivariant.renditions[0]?.uri?.replace('playlist', 'iframes')
    expect((await fetch(base + uri)).status).toBe(404)
  })
})
