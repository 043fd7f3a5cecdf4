import { mkdir } from 'node:fs/promises'
import { createLog, type Log } from '../platform/log/log.ts'
import type { Config } from './config/config.ts'

export const openLog = async (config: Config): Promise<Log> => {
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  return createLog({
    level: config.logLevel,
    ...(config.logFile === null ? {} : { destination: config.logFile }),
  })
}
