/** What of a data folder is kept; everything else is made anew, or is under way and done again. */

/** Files that never change once they have their name. */
export const mediaFolder = 'media/blobs'

/** Files that grow: unfinished uploads, and recordings of what is live. */
export const growingFolders = ['uploads', 'live/recordings'] as const

/** Keys, settings and the name by which media and recordings know their disk. */
export const smallFiles = [
  'master.key',
  'zoetrope.config',
  'cli.json',
  'initial-credentials.json',
  'disk.name',
  'demo.json',
] as const

/** In a backup, what comes from the data folder. */
export const dataPart = 'data'

/** In a data folder, what is being restored into it: until everything has its place, the folder holds no installation. */
export const unfinishedRestore = '.restoring'

/** A sentence for the operator when that is there. */
export const halfRestored = (dataFolder: string): string =>
  `${dataFolder} is being restored, or a restore into it was broken off: then remove all that is in it, and restore again.`
