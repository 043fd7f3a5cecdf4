import { statfs } from 'node:fs/promises'

/** Of the disk: left to all else that writes to it. */
export const leastFreeBytes = 2 ** 30

/** Of the disk where this folder lies, for us. */
export const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
