import { ConfigError } from '../config/config.ts'
import type { CommandOutput } from './command-output.ts'
import { rotateLinks } from './rotate-links.ts'

const usage = 'Usage: ./zoetrope keys rotate-links [--old-until <time>|now]'

/** Keys of the installation; the API manages the keys of accounts. */
export const keysCommand = async (
  [verb, extra]: readonly string[],
  oldUntil: string | undefined,
  output: CommandOutput,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  if (verb !== 'rotate-links' || extra !== undefined) throw new ConfigError(usage)
  await rotateLinks(env, oldUntil, output)
}
