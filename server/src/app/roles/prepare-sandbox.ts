import { endOrphans, sandboxLevel, sandboxLevels, setSandboxLevel } from '@zoetrope/ffmpeg'
import { Gauge } from 'prom-client'
import { StartupError } from '../../platform/base/startup-error.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Config } from '../config/config.ts'

const gauge = new Gauge({
  name: 'zoetrope_media_sandbox',
  help: 'How media processes of this process are confined: 1 for the level in force.',
  labelNames: ['level'],
})

export const sandboxAdvice =
  'Install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap) and allow user namespaces.'

/**
 * Chooses how media processes are confined, and logs it. Ends those that an earlier run has left. Throws a StartupError when
 * the setting requires more than this machine allows.
 */
export const prepareSandbox = (
  { sandbox: setting, dataFolder }: Pick<Config, 'sandbox' | 'dataFolder'>,
  log: Log,
): void => {
  if (setting === 'off') setSandboxLevel('limits')
  const level = sandboxLevel()
  if (setting === 'required' && level !== 'namespaces')
    throw new StartupError(
      `ZOETROPE_SANDBOX is "required", but media processes cannot be isolated on this machine. ${sandboxAdvice}`,
    )
  for (const one of sandboxLevels) gauge.set({ level: one }, one === level ? 1 : 0)
  if (level === 'namespaces') log.info({ sandbox: level }, 'media processes are isolated')
  else log.warn({ sandbox: level }, `media processes are not fully isolated. ${sandboxAdvice}`)
  const orphans = endOrphans(dataFolder)
  if (orphans > 0) log.warn({ orphans }, 'ended media processes of an earlier run')
}
