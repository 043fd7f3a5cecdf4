import { copyFile, mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram } from './find-program.ts'

const folder = fileURLToPath(new URL('../../../node_modules/.cache/media', import.meta.url))

/** Another ffmpeg may write other bytes. */
const ffmpegVersion = async (): Promise<string> => {
  const { size, mtimeMs } = await stat((await findProgram('ffmpeg')) ?? '')
  return `${size}-${Math.trunc(mtimeMs)}`
}

/** Copies a file of an earlier run to `path`, or makes it and keeps a copy for later runs. */
export const keepBetweenRuns = async (
  name: string,
  path: string,
  make: () => Promise<unknown>,
): Promise<void> => {
  const ownFolder = join(folder, await ffmpegVersion())
  const kept = join(ownFolder, name)
  const isKept = await copyFile(kept, path).then(
    () => true,
    () => false,
  )
  if (isKept) return
  await make()
  await mkdir(ownFolder, { recursive: true })
  const unfinished = `${kept}.${process.pid}`
  await copyFile(path, unfinished)
  await rename(unfinished, kept)
}
