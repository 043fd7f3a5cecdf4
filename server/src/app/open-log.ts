import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../platform/base/startup-error.ts'
import { createLog, type Log } from '../platform/log/log.ts'
import type { Config } from './config/config.ts'

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** The recursive `mkdir` of Node.js never returns where the system answers ENOENT although the parent exists, as in /proc. */
const createFolder = async (folder: string): Promise<void> => {
  if (
    await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    )
  )
    return
  const parent = dirname(folder)
  if (parent !== folder && !(await exists(parent))) await createFolder(parent)
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another process of the same start was faster.
    if (error.code !== 'EEXIST') throw error
  })
}

export const openLog = async (config: Config): Promise<Log> => {
  try {
    await createFolder(config.dataFolder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw new StartupError(
      `Cannot create the data folder ${config.dataFolder} (${(error as Error).message}). Check that its disk is mounted and writable, or set ZOETROPE_DATA to another folder.`,
      { cause: error },
    )
  }
  if (config.logFile === null) return createLog({ level: config.logLevel })
  try {
    return createLog({ level: config.logLevel, destination: config.logFile })
  } catch (error) {
    throw new StartupError(
      `Cannot write the log file ${config.logFile} (${(error as Error).message}). Create its folder, or set ZOETROPE_LOG_FILE to another file.`,
      { cause: error },
    )
  }
}
