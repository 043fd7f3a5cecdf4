import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finding, type Finding } from './finding.ts'

const GB = 1_000_000_000
/** A ladder of a long film and a few uploads on their way. */
const comfortableBytes = 20 * GB
const leastBytes = 1 * GB

export const judgeSpace = (freeBytes: number): Finding => {
  const free = `${(freeBytes / GB).toFixed(1)} GB free`
  if (freeBytes < leastBytes)
    return finding(
      'Disk space',
      'failed',
      `Only ${free}: uploads are refused soon. Make room, or move the data folder.`,
    )
  if (freeBytes < comfortableBytes)
    return finding('Disk space', 'warning', `Only ${free}: enough for short videos, and not for long.`)
  return finding('Disk space', 'ok', free)
}

/** The nearest folder that is there: before the first start the data folder is not. */
const existingFolder = async (folder: string): Promise<string> => {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  )
  return isThere || dirname(folder) === folder ? folder : existingFolder(dirname(folder))
}

export const checkDisk = async (dataFolder: string): Promise<Finding[]> => {
  const folder = await existingFolder(dataFolder)
  const canWrite = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  const { bavail, bsize } = await statfs(folder)
  const place =
    folder === dataFolder
      ? finding('Data folder', 'ok', dataFolder)
      : finding('Data folder', 'ok', `${dataFolder} is made by the first start`)
  return [
    canWrite
      ? place
      : finding(
          'Data folder',
          'failed',
          `${folder} cannot be written by this user: run this as the one who starts Zoetrope, or change its owner.`,
        ),
    judgeSpace(bavail * bsize),
  ]
}
