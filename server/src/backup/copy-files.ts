import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Other file systems, those without hard links, and files of other owners, to which the kernel may refuse them. */
const unlinkable = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

const listFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

/** Made beside and renamed: whole or absent. False when there is nothing to copy any more. */
export const copyWhole = async (from: string, to: string): Promise<boolean> => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const temporary = `${to}.copying`
  try {
    // Shares the bytes where the file system can.
    await copyFile(from, temporary, constants.COPYFILE_FICLONE)
  } catch (error) {
    await rm(temporary, { force: true })
    if (isMissing(error)) return false
    throw error
  }
  {
    await using handle = await open(temporary, 'r+')
    await handle.datasync()
  }
  await rename(temporary, to)
  return true
}

const linkOrCopy = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await link(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Deleted since it was listed, or there from the first time.
    if (code === 'ENOENT' || code === 'EEXIST') return
    if (!unlinkable.has(code ?? '')) throw error
    await copyWhole(from, to)
  }
}

/**
 * The files that are not there yet, as hard links where that is possible: for files that never change once they have their name. Called again it
 * adds what is new.
 */
export const linkFolder = async (from: string, to: string): Promise<void> => {
  for (const path of await listFiles(from)) await linkOrCopy(join(from, path), join(to, path))
}

/** Replaces links to files that may still grow by copies of what they hold now; adds what is new. */
export const copyGrowing = async (from: string, to: string): Promise<void> => {
  const paths = new Set([...(await listFiles(from)), ...(await listFiles(to))])
  for (const path of paths) {
    const target = join(to, path)
    // A file that has its final place by now is copied from the link, which holds all of it.
    if (!(await copyWhole(join(from, path), target))) await copyWhole(target, target)
  }
}

export const isEmptyOrMissing = async (folder: string): Promise<boolean> => {
  try {
    return (await readdir(folder)).length === 0
  } catch (error) {
    if (isMissing(error)) return true
    throw error
  }
}

export const exists = async (path: string): Promise<boolean> =>
  await stat(path).then(
    () => true,
    () => false,
  )
