import { loadConfig } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import type { CommandOutput } from './command-output.ts'
import { rotateMasterKey } from './rotate-master-key.ts'
import { rotateLinks } from './rotate-links.ts'

const usage = `Usage: ./zoetrope keys rotate-links [--old-until <time>|now]
       ./zoetrope keys rotate-master`

/** Keys of the installation; the API manages the keys of accounts. */
export const keysCommand = async (
  [verb, extra]: readonly string[],
  oldUntil: string | undefined,
  output: CommandOutput,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  if (extra !== undefined) throw new ConfigError(usage)
  if (verb === 'rotate-links') return rotateLinks(env, oldUntil, output)
  if (verb !== 'rotate-master' || oldUntil !== undefined) throw new ConfigError(usage)
  await rotateMasterKey(loadConfig(env), output)
}
