import { mkdir } from 'node:fs/promises'
import { StartupError } from '../platform/base/startup-error.ts'
import { createLog, type Log } from '../platform/log/log.ts'
import type { Config } from './config/config.ts'

export const openLog = async (config: Config): Promise<Log> => {
  try {
    await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
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
