import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMovieAt } from '../processing/package-passthrough.ts'

/** Returns a copy of an MP4 in which these frames of the video, in coding order, cannot be decoded. `toFrame` is exclusive. */
export const damageFrames = async (source: Buffer, fromFrame: number, toFrame: number): Promise<Buffer> => {
  const bytes = Buffer.from(source)
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-damaged-'))
  const path = join(folder, 'source.mp4')
  await writeFile(path, bytes)
  const { samples } = (await readMovieAt(path))!.tracks.find(({ kind }) => kind === 'video')!
  await rm(folder, { recursive: true })
  for (let frame = fromFrame; frame < toFrame; frame += 1) {
    const start = samples.offsets[frame]!
    bytes.fill(0xa5, start + 5, Math.max(start + 5, start + samples.sizes[frame]!))
  }
  return bytes
}
