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
  return createLog({
    level: config.logLevel,
    ...(config.logFile === null ? {} : { destination: config.logFile }),
  })
}
