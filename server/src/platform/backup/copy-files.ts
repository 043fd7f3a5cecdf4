import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/**
 * Hard links fail across file systems, on those without links, and for files of other owners if the kernel
 * protects them.
 */
const unlinkable = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** Returns the paths of all files below the folder, relative to it; none when it is missing. */
export const listFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

/**
 * Copies to a temporary name and renames, so that the copy is complete or absent. Returns false when the
 * source no longer exists.
 */
export const copyWhole = async (from: string, to: string): Promise<boolean> => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const temporary = `${to}.copying`
  try {
    // Shares blocks where the file system supports it.
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
    // The file was deleted since the listing, or an earlier call already copied it.
    if (code === 'ENOENT' || code === 'EEXIST') return
    if (!unlinkable.has(code ?? '')) throw error
    await copyWhole(from, to)
  }
}

/**
 * Adds missing files, as hard links where possible: for files that never change under their name. A repeated
 * call adds new files.
 */
export const linkFolder = async (from: string, to: string, signal: AbortSignal): Promise<void> => {
  for (const path of await listFiles(from)) {
    signal.throwIfAborted()
    await linkOrCopy(join(from, path), join(to, path))
  }
}

/** Replaces links to in-progress files by copies of their current content, and adds new files. */
export const copyInProgress = async (from: string, to: string, signal: AbortSignal): Promise<void> => {
  const paths = new Set([...(await listFiles(from)), ...(await listFiles(to))])
  for (const path of paths) {
    signal.throwIfAborted()
    const target = join(to, path)
    // A source that has moved to its final place is copied from the link, which has its full content.
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
