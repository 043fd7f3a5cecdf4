import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import { isLimited, keysFor, limitedRoles } from '../roles/process-keys.ts'
import { loadSecrets } from '../roles/services.ts'
import type { CommandOutput } from './command-output.ts'

export const processKeysUsage = `Usage: ./zoetrope process-keys ${limitedRoles.join('|')}`

/** Prints the setting that a node of this role needs in place of the master key. */
export const processKeys = async (config: Config, role: string, output: CommandOutput): Promise<void> => {
  if (!isLimited(role)) throw new ConfigError(`process-keys takes one role.\n${processKeysUsage}`)
  const keys = keysFor(role, await loadSecrets(config))
  output.result({ Role: role, ProcessKeys: keys }, `ZOETROPE_PROCESS_KEYS=${keys}\n`)
}
