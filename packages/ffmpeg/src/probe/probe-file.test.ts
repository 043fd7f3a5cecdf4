import { readFile, utimes, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  ffprobeValues,
  h264,
  hdr,
  makeMedia,
  testPicture,
  testTone,
  useFolder,
} from '../../test-support/sample-media.ts'
import { checkDecodable } from '../encode/check-decodable.ts'
import { probeFile } from './probe-file.ts'
import { turnPicture } from '../../../isobmff/test-support/turn-picture.ts'

const inFolder = useFolder()

const picture = testPicture('320x180', 1)
const tone = testTone(1)
const aac = ['-c:a', 'aac']

test.each([
  [
    'h264.mp4',
    [...picture, ...tone, ...h264, ...aac],
    { codec: 'h264', codecTag: 'avc1', chroma: '4:2:0' },
    ['aac'],
  ],
  [
    'vp9.webm',
    [...picture, ...tone, '-c:v', 'libvpx-vp9', '-cpu-used', '8', '-c:a', 'libopus'],
    { codec: 'vp9' },
    ['opus'],
  ],
  [
    'vp9.mkv',
    [...picture, ...tone, '-c:v', 'libvpx-vp9', '-cpu-used', '8', '-c:a', 'libopus', '-ac', '6'],
    { codec: 'vp9' },
    ['opus'],
  ],
  [
    'hdr.mp4',
    [...picture, ...hdr('smpte2084')],
    { codec: 'hevc', bitDepth: 10, isHdr: true, colorTransfer: 'smpte2084' },
    [],
  ],
  ['mpeg2.ts', [...picture, ...tone, '-c:v', 'mpeg2video', '-c:a', 'mp2'], { codec: 'mpeg2video' }, ['mp2']],
  ['h264.flv', [...picture, ...tone, ...h264, ...aac, '-ar', '44100'], { codec: 'h264' }, ['aac']],
  [
    'prores.mov',
    [...picture, ...tone, '-c:v', 'prores_ks', '-profile:v', '2', '-c:a', 'pcm_s16le'],
    { codec: 'prores', bitDepth: 10, chroma: '4:2:2' },
    ['pcm_s16le'],
  ],
  ['old.avi', [...picture, ...tone, '-c:v', 'mpeg4', '-c:a', 'mp3'], { codec: 'mpeg4' }, ['mp3']],
  ['tone.wav', tone, null, ['pcm_s16le']],
  ['tone.flac', tone, null, ['flac']],
  ['tone.aiff', tone, null, ['pcm_s16be']],
  ['silent.mp4', [...picture, ...h264], { codec: 'h264' }, []],
  [
    'portrait.mp4',
    [...testPicture('180x320', 1), ...h264],
    { displayWidthPixels: 180, displayHeightPixels: 320, rotationDegrees: 0 },
    [],
  ],
  [
    'interlaced.mp4',
    [...picture, ...h264, '-flags', '+ilme+ildct', '-x264-params', 'tff=1'],
    { isInterlaced: true },
    [],
  ],
  [
    'anamorphic.mp4',
    [...picture, '-vf', 'setsar=4/3', ...h264],
    { widthPixels: 320, displayWidthPixels: 427, displayHeightPixels: 180 },
    [],
  ],
])('probes %s correctly and can decode it', async (name, args, video, audioCodecs) => {
  const path = await makeMedia(inFolder(name), ...args)
  const probe = await probeFile(path)
  if (video === null) expect(probe.video).toBeNull()
  else expect(probe.video).toMatchObject({ frameRate: { numerator: 30, denominator: 1 }, ...video })
  expect(probe.audio.map((audio) => audio.codec)).toEqual(audioCodecs)
  expect(probe.durationSeconds).toBeGreaterThan(0.9)
  expect(probe.durationSeconds).toBeLessThan(1.2)
  await checkDecodable(path, probe, { isVideoCopied: false, copiedAudio: [] })
})

test('reports the display size of a rotated video', async () => {
  const turned = await makeMedia(inFolder('turned.mp4'), ...picture, ...h264)
  await turnPicture(turned, 90)
  const { video } = await probeFile(turned)
  expect(video).toMatchObject({ widthPixels: 320, displayWidthPixels: 180, displayHeightPixels: 320 })
  expect([90, 270]).toContain(video?.rotationDegrees)
})

test('does not treat the cover art of an MP3 as video', async () => {
  const cover = await makeMedia(inFolder('cover.png'), ...picture, '-frames:v', '1')
  const maps = ['-map', '0', '-map', '1', '-c:v', 'copy', '-disposition:v', 'attached_pic']
  const song = await makeMedia(inFolder('song.mp3'), ...tone, '-i', cover, ...maps)
  expect(await ffprobeValues(song, 'stream=codec_type')).toContain('video')
  expect(await probeFile(song)).toMatchObject({ video: null, audio: [{ codec: 'mp3' }] })
})

test('rejects text named .mp4 as not media', async () => {
  const path = inFolder('letter.mp4')
  await writeFile(path, 'Dear Sir or Madam, this is not a film.\n'.repeat(500))
  await expect(probeFile(path)).rejects.toMatchObject({
    code: 'not_media',
    message: 'The file is not a video or audio file.',
  })
})

test('rejects an empty file as not media', async () => {
  await writeFile(inFolder('empty.mp4'), '')
  await expect(probeFile(inFolder('empty.mp4'))).rejects.toMatchObject({ code: 'not_media' })
})

test.each([
  [
    'playlist',
    (target: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`,
  ],
  ['concat script', (target: string) => `ffconcat version 1.0\nfile ${target}\n`],
])('reads no other file for a %s named .mp4', async (name, script) => {
  const secret = await makeMedia(inFolder('secret.ts'), ...picture, ...h264)
  const path = inFolder(`${name.replace(' ', '-')}.mp4`)
  await writeFile(path, script(secret))
  await expect(probeFile(path)).rejects.toMatchObject({ code: 'not_media' })
})

test('reports a file truncated before its index as incomplete', async () => {
  const whole = await makeMedia(inFolder('whole.mp4'), ...picture, ...h264)
  const bytes = await readFile(whole)
  await writeFile(inFolder('cut.mp4'), bytes.subarray(0, bytes.length / 2))
  await expect(probeFile(inFolder('cut.mp4'))).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('its index is missing'),
  })
})

test('reports an index with billions of entries as damaged on any machine', async () => {
  const path = await makeMedia(inFolder('billions.mp4'), ...picture, ...h264)
  const bytes = await readFile(path)
  bytes.writeUInt32BE(0xffff_ffff, bytes.indexOf('stts') + 8)
  await writeFile(path, bytes)
  await expect(probeFile(path)).rejects.toMatchObject({
    code: 'corrupt',
    message: 'The file is damaged: its index cannot be read.',
  })
})

test('refuses a codec that no source needs, before its decoder runs', async () => {
  const path = await makeMedia(inFolder('sgi.mkv'), ...picture, ...tone, '-c:v', 'sgi', ...aac)
  await expect(probeFile(path)).rejects.toMatchObject({
    code: 'unsupported_codec',
    message: 'The file uses a codec that is not supported.',
    details: expect.stringContaining('not on whitelist'),
  })
})

test('rejects an encrypted file', async () => {
  const clear = await makeMedia(inFolder('clear.mp4'), ...picture, ...h264)
  const key = [
    '-encryption_key',
    '76a6c65c5ea762046bd749a2e632ccbb',
    '-encryption_kid',
    'a7e61c373e219033c21091fa607bf3b8',
  ]
  const scheme = ['-encryption_scheme', 'cenc-aes-ctr']
  const path = await makeMedia(inFolder('drm.mp4'), '-i', clear, '-c', 'copy', ...scheme, ...key)
  await expect(probeFile(path)).rejects.toMatchObject({ code: 'encrypted' })
})

test('rejects a pixel bomb before decoding it', async () => {
  const bomb = testPicture('9000x8000', 0.04, '25')
  const path = await makeMedia(inFolder('bomb.mp4'), ...bomb, ...h264, '-frames:v', '1')
  await expect(probeFile(path)).rejects.toMatchObject({ code: 'too_large' })
})

test('reports a track with overwritten data as damaged', async () => {
  const path = await makeMedia(inFolder('noise.mp4'), ...picture, '-c:v', 'mpeg4')
  const probe = await probeFile(path)
  const bytes = await readFile(path)
  const mediaData = bytes.indexOf('mdat') + 4
  await writeFile(path, bytes.fill(0, mediaData, bytes.indexOf('moov') - 4))
  await expect(checkDecodable(path, probe)).rejects.toMatchObject({ code: 'corrupt' })
})

test('rejects with a message when the file or the program is missing', async () => {
  await expect(probeFile(inFolder('nowhere.mp4'))).rejects.toMatchObject({ code: 'failed' })
  const ffprobePath = inFolder('no-such-program')
  await expect(probeFile(inFolder('nowhere.mp4'), { ffprobePath })).rejects.toMatchObject({ code: 'failed' })
})

test('stops a probe on abort', async () => {
  const path = await makeMedia(inFolder('cancelled.mp4'), ...picture, ...h264)
  await expect(probeFile(path, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
})

test('starts ffprobe again only after the file has changed', async () => {
  const path = await makeMedia(inFolder('unchanged.mp4'), ...picture, ...h264)
  const ffprobePath = inFolder('no-such-program')
  await utimes(path, 1_700_000_000, 1_700_000_000)
  const probe = await probeFile(path)
  expect(await probeFile(path, { ffprobePath })).toEqual(probe)
  await utimes(path, 1_700_000_000, 1_700_000_001)
  await expect(probeFile(path, { ffprobePath })).rejects.toMatchObject({ code: 'failed' })
})
