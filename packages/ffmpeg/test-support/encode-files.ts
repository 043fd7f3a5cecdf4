import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { encodeArguments, type EncodeOptions } from '../src/encode/encode-arguments.ts'
import { isEncoded } from '../src/plan/plan-renditions.ts'
import { runFfmpeg } from '../src/run/run-ffmpeg.ts'

/** Encodes rungs and audio in one run and writes each pipe to its own file, in the order of the pipes. */
export const encodeFiles = async (
  folder: string,
  name: string,
  options: Omit<EncodeOptions, 'firstPipe' | 'includeAudio'>,
): Promise<string[]> => {
  const outputPipes = options.rungs.length + options.plan.audio.filter(isEncoded).length
  const args = encodeArguments({ ...options, includeAudio: true, firstPipe: 3 })
  const run = runFfmpeg(args, { outputPipes, workFolder: folder })
  const outputs = await Promise.all(run.pipes.map((pipe) => buffer(pipe)))
  await run.done
  return Promise.all(
    outputs.map(async (bytes, number) => {
      const path = join(folder, `${name}-${number}.mp4`)
      await writeFile(path, bytes)
      return path
    }),
  )
}
