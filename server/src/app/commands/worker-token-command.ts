import {
  createRemoteWorker,
  listRemoteWorkers,
  resumeRemoteWorker,
  revokeRemoteWorker,
  silentAfterSeconds,
  type RemoteWorkerRow,
} from '../../ingest/encoding/remote/remote-worker-store.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { loadConfig, type Config } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import type { CommandOutput } from './command-output.ts'
import { tableText } from './table-text.ts'
import { withDatabase } from './with-database.ts'

export const workerTokenUsage = `Usage: ./zoetrope worker-token list
       ./zoetrope worker-token create <name>
       ./zoetrope worker-token revoke <id>
       ./zoetrope worker-token resume <id>`

const usageError = (sentence: string): ConfigError => new ConfigError(`${sentence}\n${workerTokenUsage}`)

const stateOf = ({ revoked_at, paused_because, last_seen_at }: RemoteWorkerRow): string => {
  if (revoked_at !== null) return 'revoked'
  if (paused_because !== null) return 'paused'
  if (last_seen_at === null) return 'never connected'
  return Date.now() - last_seen_at.getTime() > silentAfterSeconds * 1_000 ? 'silent' : 'active'
}

const recordOf = (row: RemoteWorkerRow) => ({
  Id: row.id,
  Name: row.name,
  State: stateOf(row),
  LastSeenAt: row.last_seen_at === null ? null : toTimestamp(row.last_seen_at),
  Version: row.version,
  Ffmpeg: row.ffmpeg,
  Cores: row.cores,
  Slots: row.slots,
  DoneCount: row.done_count,
  PausedBecause: row.paused_because,
})

const list = async (config: Config, output: CommandOutput): Promise<void> => {
  const workers = (await withDatabase(config, ({ kysely }) => listRemoteWorkers(kysely))).map(recordOf)
  output.result(
    { Workers: workers },
    tableText([
      ['ID', 'NAME', 'STATE', 'LAST SEEN', 'VERSION', 'CORES', 'CHUNKS', 'REASON'],
      ...workers.map((one) => [
        ...[String(one.Id), one.Name, one.State, one.LastSeenAt ?? '', one.Version ?? ''],
        ...[String(one.Cores ?? ''), String(one.DoneCount), one.PausedBecause ?? ''],
      ]),
    ]),
  )
}

const create = async (config: Config, output: CommandOutput, given: string): Promise<void> => {
  const name = given.trim()
  if (name === '' || name.length > 100)
    throw usageError('The name of a worker must have 1 to 100 characters.')
  const { id, token } = await withDatabase(config, ({ kysely }) => createRemoteWorker(kysely, name))
  output.result(
    { Id: id, Name: name, Token: token },
    `Worker ${id} "${name}" is ready. Store its token now: it is not shown again.\n  ${token}\n`,
  )
}

const readId = (text: string): number => {
  const id = Number(text)
  if (!/^[1-9][0-9]{0,15}$/.test(text) || !Number.isSafeInteger(id))
    throw usageError(`The id of a worker must be a positive integer, not "${text.slice(0, 40)}".`)
  return id
}

const change = async (config: Config, output: CommandOutput, verb: 'revoke' | 'resume', idText: string) => {
  const id = readId(idText)
  const isFound = await withDatabase(config, ({ kysely }) =>
    (verb === 'revoke' ? revokeRemoteWorker : resumeRemoteWorker)(kysely, id),
  )
  if (!isFound)
    throw new ConfigError(
      `Worker ${id} does not exist${verb === 'resume' ? ', or its token is revoked: create another one' : ''}. ./zoetrope worker-token list shows all workers.`,
    )
  output.result(
    { Id: id, State: verb === 'revoke' ? 'revoked' : 'active' },
    verb === 'revoke'
      ? `The token of worker ${id} is revoked. Its chunks go to other workers.\n`
      : `Worker ${id} receives chunks again.\n`,
  )
}

/** Runs `worker-token list|create|revoke|resume` for the operator on the machine of the installation. */
export const workerTokenCommand = async (
  positionals: readonly string[],
  output: CommandOutput,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  const [verb, argument, extra] = positionals
  if (extra !== undefined) throw usageError('Too many arguments. Quote a name that contains spaces.')
  if (verb === 'list' && argument === undefined) return list(loadConfig(env), output)
  if (argument !== undefined) {
    if (verb === 'create') return create(loadConfig(env), output, argument)
    if (verb === 'revoke' || verb === 'resume') return change(loadConfig(env), output, verb, argument)
  }
  throw usageError(
    verb === undefined ? 'worker-token requires a verb.' : `worker-token ${verb} is incomplete or unknown.`,
  )
}
