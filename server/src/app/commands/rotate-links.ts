import { loadConfig } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { rotateLinkKey } from '../../playback/access/link-key-store.ts'
import { loadSecrets } from '../roles/services.ts'
import type { CommandOutput } from './command-output.ts'
import { openDatabaseOf } from './database-of-backup.ts'

/** The longest lifetime of a signed link, and the time until a new key signs. */
const longestMs = 7 * 86_400_000 + 60_000

const endOf = (text: string | undefined): Date => {
  if (text === undefined) return new Date(Date.now() + longestMs)
  if (text === 'now') return new Date()
  const instant = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(instant.getTime()))
    throw new ConfigError(
      `--old-until must be now, or a time such as 2026-12-01T00:00:00Z, not "${text.slice(0, 40)}".`,
    )
  return instant
}

/** Replaces the key that signs playout links. All processes follow within seconds. */
export const rotateLinks = async (
  env: NodeJS.ProcessEnv,
  oldUntil: string | undefined,
  output: CommandOutput,
): Promise<void> => {
  const until = endOf(oldUntil)
  const config = loadConfig(env)
  const secrets = await loadSecrets(config)
  const opened = await openDatabaseOf(config)
  const database = openDatabase(opened.connection, { maxConnections: 1 })
  try {
    const { id, activeFrom } = await rotateLinkKey(database, secrets.liveNodes, until)
    output.result(
      { KeyId: id, ActiveFrom: activeFrom.toISOString(), OldUntil: until.toISOString() },
      `Key ${id} signs links from ${activeFrom.toISOString()}. Earlier links stay valid until they expire, and until ${until.toISOString()} at the latest.\n`,
    )
  } finally {
    await database.close()
    await opened.stop()
  }
}
