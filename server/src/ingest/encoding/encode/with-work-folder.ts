import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Runs `use` with a new folder in `parent`, which is created if necessary, and removes the folder afterwards. */
export const withWorkFolder = async <T>(
  parent: string,
  prefix: string,
  use: (workFolder: string) => Promise<T>,
): Promise<T> => {
  await mkdir(parent, { recursive: true })
  const workFolder = await mkdtemp(join(parent, prefix))
  try {
    return await use(workFolder)
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}
