import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  encodeArguments,
  framesPerSecond,
  isEncoded,
  MediaError,
  probeFile,
  type AudioPlan,
  type MediaPlan,
  type Probe,
} from '@zoetrope/ffmpeg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeShapes } from '../../../test/support/make-shapes.ts'
import { shapes } from '../../../test/support/shape-table.ts'
import { encoderSettingsOf } from '../../library/projects/project-record.ts'
import { durationOf, readMovieAt } from '../encoding/processing/package-passthrough.ts'
import {
  copyableAudio,
  isWorthRemuxing,
  planEncodes,
  planPassthroughTracks,
  propertiesOf,
  unchangedSource,
} from './plan-source.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-shapes-'))
  await makeShapes(folder, shapes)
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const channelNames: Record<number, string> = { 1: 'mono', 2: 'stereo' }

/** Formats an audio plan, as in `passthrough stereo German de`. */
const audioText = (audio: AudioPlan, copied: string): string =>
  [
    isEncoded(audio) ? 'encoded' : copied,
    channelNames[audio.channels] ?? `${audio.channels} channels`,
    ...(audio.label === 'Audio' ? [] : [audio.label]),
    ...(audio.language === null ? [] : [audio.language]),
  ].join(' ')

const filtersText = (probe: Probe, plan: MediaPlan): string[] => {
  const rungs = plan.firstRung === null ? plan.ladder : [...plan.ladder, plan.firstRung]
  if (rungs.length === 0) return []
  const args = encodeArguments({
    inputPath: 'source',
    probe,
    plan,
    rungs,
    includeAudio: false,
    firstPipe: 3,
  }).join(' ')
  return [
    ...rungs.map(({ name, widthPixels, heightPixels }) => `${name} ${widthPixels}x${heightPixels}`),
    ...(args.includes('bwdif') ? ['deinterlaced'] : []),
    ...(args.includes('tonemap') ? ['tone-mapped'] : []),
  ]
}

const outcomeOf = async (path: string): Promise<string> => {
  const [probe, movie] = await Promise.all([probeFile(path), readMovieAt(path)])
  const direct = planPassthroughTracks(movie, probe, unchangedSource)
  const isRemuxed = isWorthRemuxing(probe, direct, movie, unchangedSource)
  const hasVideo = isRemuxed ? probe.video !== null : direct.video !== null
  const copiedAudio = isRemuxed
    ? copyableAudio(probe).map(({ index }) => index)
    : direct.audio.map(({ streamIndex }) => streamIndex)
  const plan = planEncodes(
    probe,
    { hasVideo, copiedAudio, isSourceServed: !isRemuxed && (hasVideo || copiedAudio.length > 0) },
    { useEncoding: true, settings: encoderSettingsOf({ encoder_settings: {} }), watermark: null },
  )
  const copied = isRemuxed ? 'remuxed' : 'passthrough'
  const { VideoWidth, VideoHeight, Length } = propertiesOf(probe, 0, durationOf(movie, probe))
  const video =
    plan.frameRate === null
      ? []
      : [
          `${VideoWidth}x${VideoHeight} ${framesPerSecond(plan.frameRate).toFixed(2)}`,
          ...(hasVideo ? [copied] : []),
          ...filtersText(probe, plan),
        ]
  return [
    ...(video.length === 0 ? [] : [video.join(', ')]),
    ...plan.audio.map((audio) => audioText(audio, copied)),
    Length === null ? 'of unknown length' : `${Length.toFixed(2)} s`,
  ].join('; ')
}

const lengthText = /([\d.]+) s$/
const withoutLength = (outcome: string): string => outcome.replace(lengthText, 's')
/** 0 for an outcome without a length. */
const lengthOf = (outcome: string): number => Number(lengthText.exec(outcome)?.[1] ?? 0)

test.concurrent.each(shapes.filter(({ expected }) => expected !== null))(
  'plans $name',
  async ({ name, expected }) => {
    const outcome = await outcomeOf(join(folder, name)).catch((error: unknown) => {
      if (error instanceof MediaError) return error.code
      throw error
    })
    expect(withoutLength(outcome)).toBe(withoutLength(expected ?? ''))
    // The muxers of ffmpeg 5 and 7 end the same samples up to 20 ms apart.
    expect(lengthOf(outcome)).toBeCloseTo(lengthOf(expected ?? ''), 1)
  },
)
