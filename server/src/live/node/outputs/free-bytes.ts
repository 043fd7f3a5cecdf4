import { statfs } from 'node:fs/promises'

/** Disk space left to other writers, in bytes. */
export const leastFreeBytes = 2 ** 30

/** Returns the bytes that this process may use on the disk of the folder. */
export const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
