import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { encodeArguments, planRenditions, probeFile, runFfmpeg, type VideoRung } from '@zoetrope/ffmpeg'
import type { BenchContext } from '../harness/context.ts'
import { makeRow, type Row } from '../harness/row.ts'

const run = promisify(execFile)

const framesPerSecond = 30

/** Motion with grain, like camera footage, and a slow zoom into ever new detail, like animation. */
const pictures = {
  'test picture with grain': `testsrc2=size=1280x720:rate=${framesPerSecond},noise=alls=6:allf=t`,
  'mandelbrot zoom': `mandelbrot=size=1280x720:rate=${framesPerSecond}`,
} as const

const comparedRungs = ['720p', '360p']

/** Similarity to the source in decibels, with the source scaled to the size of the rung. */
interface Likeness {
  readonly psnr: number
  readonly ssim: number
}

const compare = async (path: string, sourcePath: string, { widthPixels, heightPixels }: VideoRung) => {
  const graph =
    `[1:v]scale=${widthPixels}:${heightPixels},format=yuv420p,split[r1][r2];[0:v]setpts=PTS-STARTPTS,split[e1][e2];` +
    '[e1][r1]psnr;[e2][r2]ssim'
  const { stderr } = await run('ffmpeg', [
    ...['-nostdin', '-hide_banner', '-i', path, '-i', sourcePath, '-filter_complex', graph],
    ...['-f', 'null', '-'],
  ])
  const read = (pattern: RegExp): number => Number(pattern.exec(stderr)?.[1])
  return { psnr: read(/PSNR .*average:([\d.]+)/), ssim: read(/SSIM .*All:[\d.]+ \(([\d.]+)\)/) }
}

const encodeOurs = async (sourcePath: string, workFolder: string) => {
  const probe = await probeFile(sourcePath)
  const plan = planRenditions(probe, { isVideoCopied: false, copiedAudio: [] })
  const rungs = [...plan.ladder, ...(plan.firstRung === null ? [] : [plan.firstRung])].filter(({ name }) =>
    comparedRungs.includes(name),
  )
  const args = encodeArguments({
    inputPath: sourcePath,
    probe,
    plan,
    rungs,
    includeAudio: false,
    firstPipe: 3,
  })
  const encode = runFfmpeg(args, { outputPipes: rungs.length, workFolder })
  const paths = rungs.map(({ name }) => join(workFolder, `ours-${name}.mp4`))
  await Promise.all(paths.map((path, index) => pipeline(encode.pipes[index] ?? [], createWriteStream(path))))
  await encode.done
  return rungs.map((rung, index) => ({ rung, path: paths[index] ?? '' }))
}

/**
 * Encodes with a single-pass `ffmpeg -preset veryfast` at this average bit rate, with key frames as far apart.
 */
const encodeBare = async (
  sourcePath: string,
  path: string,
  { widthPixels, heightPixels, keyFrameSeconds = 2 }: VideoRung,
  bitsPerSecond: number,
): Promise<void> => {
  await run('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-y', '-i', sourcePath, '-vf', `scale=${widthPixels}:${heightPixels}`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-b:v', String(bitsPerSecond)],
    ...['-g', String(framesPerSecond * keyFrameSeconds), path],
  ])
}

/** Compares the quality of the default ladder with plain ffmpeg at the same bit rate. */
export const measureQuality = async (context: BenchContext): Promise<Row[]> => {
  const seconds = context.isQuick ? 4 : 10
  const rows: Row[] = []
  for (const [name, picture] of Object.entries(pictures)) {
    context.say(`${seconds} s of ${name}`)
    const sourcePath = join(context.workFolder, 'source.mkv')
    await run('ffmpeg', [
      ...['-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', picture, '-t', String(seconds)],
      ...['-pix_fmt', 'yuv420p', '-c:v', 'ffv1', sourcePath],
    ])
    for (const { rung, path } of await encodeOurs(sourcePath, context.workFolder)) {
      const rateOf = async (file: string): Promise<number> =>
        Math.round(((await stat(file)).size * 8) / seconds)
      const barePath = join(context.workFolder, 'bare.mp4')
      await encodeBare(sourcePath, barePath, rung, await rateOf(path))
      const [ours, bare]: Likeness[] = [
        await compare(path, sourcePath, rung),
        await compare(barePath, sourcePath, rung),
      ]
      const rates = await Promise.all([rateOf(path), rateOf(barePath)])
      const note = `${name}, ${rung.preset}; ${rates.map((rate) => Math.round(rate / 1000)).join(' and ')} kbit/s`
      for (const metric of ['psnr', 'ssim'] as const)
        rows.push(
          makeRow({
            name: `quality ${rung.name}, ${metric.toUpperCase()} lost against bare ffmpeg`,
            value: (bare?.[metric] ?? 0) - (ours?.[metric] ?? 0),
            unit: 'dB',
            goal: { of: 'value', atMost: 1 },
            note: `${note}; ${ours?.[metric].toFixed(2)} against ${bare?.[metric].toFixed(2)} dB`,
          }),
        )
    }
  }
  return rows
}
