/** Paths of the data folder that a backup includes; Zoetrope recreates everything else. */

/** Files that never change under their name. */
export const mediaFolder = 'media/blobs'

/** Files in progress: unfinished uploads and recordings of live broadcasts. */
export const inProgressFolders = ['uploads', 'live/recordings'] as const

/** Keys, settings and the id that ties media and recordings to their disk. */
export const smallFiles = [
  'master.key',
  'zoetrope.config',
  'cli.json',
  'initial-credentials.json',
  'disk.name',
  'demo.json',
] as const

export const dataPart = 'data'
export const databasePart = 'database'

/**
 * Subfolder of a data folder that a restore fills. Until the restore moves its content into place, the folder
 * is not an installation.
 */
export const unfinishedRestore = '.restoring'

export const halfRestored = (dataFolder: string): string =>
  `A restore into ${dataFolder} is running or was interrupted. If it was interrupted, empty the folder and restore again.`
