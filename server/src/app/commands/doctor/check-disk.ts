import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { exists } from '../../../platform/backup/copy-files.ts'
import { halfRestored, unfinishedRestore } from '../../../platform/backup/data-folder.ts'
import { finding, type Finding } from './finding.ts'

const GB = 1_000_000_000
/** Room for the ladder of a long film and a few uploads in progress. */
const comfortableBytes = 20 * GB
const leastBytes = 1 * GB
const fullBytes = GB / 100

export const judgeSpace = (freeBytes: number, name = 'Disk space'): Finding => {
  const free = `${(freeBytes / GB).toFixed(1)} GB free`
  if (freeBytes < leastBytes)
    return finding(
      name,
      'failed',
      `Only ${free}. ${freeBytes < fullBytes ? 'Uploads and changes fail' : 'Uploads will soon be refused'}. Free some space, or move the data folder.`,
    )
  if (freeBytes < comfortableBytes)
    return finding(name, 'warning', `Only ${free}. That is enough for a few short videos.`)
  return finding(name, 'ok', free)
}

/** Returns the nearest existing folder, because the data folder does not exist before the first start. */
const existingFolder = async (folder: string): Promise<string> => {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  )
  return isThere || dirname(folder) === folder ? folder : existingFolder(dirname(folder))
}

const canWrite = (folder: string): Promise<boolean> =>
  access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

const notWritable = (folder: string): Finding =>
  finding(
    'Data folder',
    'failed',
    `This user cannot write to ${folder}. Run doctor as the user that starts Zoetrope, or change the owner of the folder.`,
  )

/** Folders in which the processes themselves write; that of the database may belong to another user. */
const writtenFolders = ['media', 'uploads', 'live', 'work']

const checkFolders = async (dataFolder: string): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const name of writtenFolders) {
    const folder = join(dataFolder, name)
    const found = await stat(folder).catch(() => null)
    if (found === null) continue
    if (!found.isDirectory())
      findings.push(finding('Data folder', 'failed', `${folder} is not a folder. Move it away.`))
    else if (!(await canWrite(folder))) findings.push(notWritable(folder))
  }
  return findings
}

const placeOf = async (dataFolder: string, existing: string): Promise<Finding> => {
  const name = 'Data folder'
  if (!(await stat(existing)).isDirectory())
    return finding(name, 'failed', `${existing} is not a folder. Set ZOETROPE_DATA to a folder.`)
  if (!(await canWrite(existing))) return notWritable(existing)
  if (await exists(join(dataFolder, unfinishedRestore)))
    return finding(name, 'failed', halfRestored(dataFolder))
  return finding(name, 'ok', existing === dataFolder ? dataFolder : `the first start creates ${dataFolder}`)
}

const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Folders that operators place on disks of their own. */
const separateFolders = ['postgres', 'media', 'uploads', 'live', 'work']

const checkSeparateDisks = async (dataFolder: string): Promise<Finding[]> => {
  const deviceOf = (folder: string): Promise<number | null> =>
    stat(folder).then(
      ({ dev }) => dev,
      () => null,
    )
  const known = new Set([null, await deviceOf(dataFolder)])
  const findings: Finding[] = []
  for (const name of separateFolders) {
    const folder = join(dataFolder, name)
    const device = await deviceOf(folder)
    if (known.has(device)) continue
    known.add(device)
    findings.push(judgeSpace(await freeBytesOf(folder), `Disk of ${name}/`))
  }
  return findings
}

export const checkDisk = async (dataFolder: string): Promise<Finding[]> => {
  const existing = await existingFolder(dataFolder)
  return [
    await placeOf(dataFolder, existing),
    ...(await checkFolders(dataFolder)),
    judgeSpace(await freeBytesOf(existing)),
    ...(await checkSeparateDisks(dataFolder)),
  ]
}
