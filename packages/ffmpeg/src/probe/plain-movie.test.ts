import { openFileReader, readMovie } from '@zoetrope/isobmff'
import { describe, expect, test } from 'vitest'
import { h264, makeMedia, testPicture, testTone, useFolder } from '../../test-support/sample-media.ts'
import { playedAudio } from './audio-tracks.ts'
import { canCopyAudio, canCopyVideo } from './copyable.ts'
import { probePlainMovie } from './plain-movie.ts'
import { probeFile } from './probe-file.ts'
import type { Probe } from './probe.ts'
import { turnPicture } from '../../../isobmff/test-support/turn-picture.ts'

const inFolder = useFolder()
const picture = testPicture('320x180', 1)
const tone = testTone(1)
const aac = ['-c:a', 'aac']
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

const plainOf = async (path: string): Promise<Probe | null> => {
  await using reader = await openFileReader(path)
  return await probePlainMovie(path, await readMovie(reader), reader.sizeBytes)
}

/** What decides on passthrough, and what the record of the file shows. */
const decisive = (probe: Probe) => ({
  video: probe.video && {
    canCopy: canCopyVideo(probe.video),
    ...(({ index, trackId, codec, displayWidthPixels, displayHeightPixels, frameRate, bitsPerSecond }) => ({
      ...{ index, trackId, codec, displayWidthPixels, displayHeightPixels, frameRate, bitsPerSecond },
    }))(probe.video),
  },
  audio: playedAudio(probe).map((track) => ({
    canCopy: canCopyAudio(track),
    ...(({ index, trackId, codec, channels, sampleRateHz, bitsPerSecond, language, label }) => ({
      ...{ index, trackId, codec, channels, sampleRateHz, bitsPerSecond, language, label },
    }))(track),
  })),
})

describe('a plain movie is described as by ffprobe', () => {
  test.each<[name: string, args: string[]]>([
    ['plain.mp4', [...picture, ...tone, ...h264, ...aac]],
    ['untagged.mp4', [...picture, ...tone, ...x264, ...aac]],
    ['plain.mov', [...picture, ...tone, ...h264, ...aac]],
    ['index-first.mp4', [...picture, ...tone, ...h264, ...aac, '-movflags', '+faststart']],
    ['silent.mp4', [...picture, ...h264]],
    ['sound.m4a', [...tone, ...aac]],
    ['mono.mp4', [...picture, ...tone, ...h264, ...aac, '-ac', '1', '-ar', '44100']],
    ['main.mp4', [...picture, ...x264, '-preset', 'fast', '-profile:v', 'main', '-bf', '3']],
    ['high.mp4', [...picture, ...x264, '-preset', 'medium', '-profile:v', 'high']],
    ['no-edits.mp4', [...picture, ...tone, ...h264, ...aac, '-use_editlist', '0']],
    ['ntsc.mp4', [...testPicture('320x180', 1, '30000/1001'), ...tone, ...h264, ...aac]],
    ['cropped.mp4', [...testPicture('1280x722', 1), ...h264]],
    ['portrait.mp4', [...testPicture('180x320', 1), ...h264]],
    ['language.mp4', [...picture, ...tone, ...h264, ...aac, '-metadata:s:a:0', 'language=deu']],
    ['late-audio.mp4', [...picture, '-itsoffset', '0.5', ...tone, ...h264, ...aac]],
    ['screen.mp4', [...picture, '-vf', "select='not(mod(n,7))+lt(n,10)'", '-fps_mode', 'vfr', ...h264]],
  ])('%s', async (name, args) => {
    const path = await makeMedia(inFolder(name), ...args)
    const plain = await plainOf(path)
    expect(plain).not.toBeNull()
    const { video, audio } = decisive(plain!)
    const confirmed = decisive(await probeFile(path))
    expect([video?.canCopy ?? true, ...audio.map(({ canCopy }) => canCopy)]).not.toContain(false)
    // ffprobe looks at time stamps to find the rate of a screen recording.
    if (name === 'screen.mp4' && confirmed.video && video) confirmed.video.frameRate = video.frameRate
    expect({ video, audio }).toEqual(confirmed)
  })
})

describe('ffprobe decides on a movie with', () => {
  test.each<[what: string, name: string, args: string[]]>([
    [
      'interlaced video',
      'interlaced.mp4',
      [...picture, ...h264, '-flags', '+ildct+ilme', '-x264opts', 'tff=1'],
    ],
    ['ten bits', 'deep.mp4', [...picture, ...x264, '-pix_fmt', 'yuv420p10le']],
    ['4:4:4', 'full.mp4', [...picture, ...x264, '-pix_fmt', 'yuv444p']],
    [
      'HDR',
      'hdr.mp4',
      [...picture, ...h264, '-vf', 'setparams=color_trc=smpte2084', '-color_trc', 'smpte2084'],
    ],
    ['oblong pixels', 'oblong.mp4', [...picture, '-vf', 'setsar=4/3', ...h264]],
    ['HEVC', 'hevc.mp4', [...picture, '-c:v', 'libx265', '-x265-params', 'log-level=none']],
    [
      'two languages',
      'two.mp4',
      [...picture, ...tone, ...tone, ...h264, ...aac, '-map', '0', '-map', '1', '-map', '2'],
    ],
    ['six channels', 'surround.mp4', [...picture, ...tone, ...h264, ...aac, '-ac', '6']],
    ['a low sample rate', 'low.mp4', [...picture, ...tone, ...h264, ...aac, '-ar', '22050']],
    ['MP3', 'mp3.mp4', [...picture, ...tone, ...h264, '-c:a', 'libmp3lame']],
    [
      'a title of the audio',
      'title.mp4',
      [...picture, ...tone, ...h264, ...aac, '-metadata:s:a:0', 'title=Director'],
    ],
    ['fragments', 'fragmented.mp4', [...picture, ...h264, '-movflags', '+frag_keyframe+empty_moov']],
  ])('%s', async (_what, name, args) => {
    const path = await makeMedia(inFolder(name), ...args)
    expect(await plainOf(path)).toBeNull()
  })

  test('rotation', async () => {
    const path = await makeMedia(inFolder('rotated.mp4'), ...picture, ...h264)
    await turnPicture(path, 90)
    expect(await plainOf(path)).toBeNull()
  })
})
