import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { openConnection, type ConnectionOptions } from '../../../platform/db/driver/connection.ts'
import { runningServerOn } from '../../../platform/db/embedded-postgres/embedded-postgres-password.ts'
import {
  isTransactionPooler,
  transactionPoolerFound,
} from '../../../platform/db/requirements/transaction-pooler.ts'
import { loginAdvice } from '../../roles/database-login.ts'
import { finding, type Finding } from './finding.ts'

const oldestVersion = 150_000
/**
 * Tokens and signatures are valid for minutes. A larger clock difference makes receivers refuse webhooks as
 * stale.
 */
const mostSecondsApart = 5

interface Facts {
  readonly version: string
  readonly number: number
  readonly nowMs: number
}

const ask = async (connection: ConnectionOptions): Promise<Facts> => {
  const probe = await openConnection(connection)
  try {
    const [facts] = await probe.rows<Facts>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
        extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"`,
    )
    return facts ?? { version: 'unknown', number: 0, nowMs: Date.now() }
  } finally {
    probe.discard()
  }
}

/** Null while no process is connected. The names of connections contain the keys of processes. */
const isOwnerInUse = async (connection: ConnectionOptions): Promise<boolean | null> => {
  const probe = await openConnection(connection)
  try {
    const [row] = await probe.rows<{ isOwnerInUse: boolean | null }>(
      `select bool_or(usename = (select pg_get_userbyid(relowner) from pg_class where oid = to_regclass('accounts')))
        filter (where application_name !~ '^zoetrope-queue ') as "isOwnerInUse"
      from pg_stat_activity where datname = current_database() and application_name ~ '^zoetrope.* key='`,
    )
    return row?.isOwnerInUse ?? null
  } finally {
    probe.discard()
  }
}

const judgeLogins = (isOwned: boolean | null): Finding[] => {
  if (isOwned === null) return []
  return isOwned
    ? [finding('Database logins', 'warning', `a process has all rights in the database. ${loginAdvice}`)]
    : [finding('Database logins', 'ok', 'each process has its own, with only the rights that it needs')]
}

/** Workers name their connections. */
const checkWorkers = async (connection: ConnectionOptions): Promise<Finding> => {
  const probe = await openConnection(connection)
  try {
    const [row] = await probe.rows<{ count: number }>(
      `select count(distinct application_name)::int as count from pg_stat_activity
        where datname = current_database() and starts_with(application_name, 'zoetrope-worker-')`,
    )
    const count = row?.count ?? 0
    return count === 0
      ? finding(
          'Workers',
          'failed',
          'No worker is connected to the database, so uploads are not processed and webhooks are not sent. Start one with ./zoetrope serve --role worker, or see the log for why it ends.',
        )
      : finding('Workers', 'ok', `${count} connected`)
  } finally {
    probe.discard()
  }
}

export const judgeClock = (differenceSeconds: number): Finding =>
  Math.abs(differenceSeconds) > mostSecondsApart
    ? finding(
        'Clock',
        'failed',
        `The clocks of this machine and the database differ by ${Math.round(Math.abs(differenceSeconds))} s. Synchronize both by NTP.`,
      )
    : finding('Clock', 'ok', new Date().toISOString())

/** A machine with an empty clock battery starts with a date in the past. */
const checkOwnClock = (): Finding =>
  Date.now() < Date.parse('2026-01-01')
    ? finding('Clock', 'failed', `The clock shows ${new Date().toISOString()}. Synchronize it by NTP.`)
    : finding('Clock', 'ok', new Date().toISOString())

/** Null while the embedded server is not running. */
export const connectionOf = async ({ databaseUrl, dataFolder }: Config): Promise<ConnectionOptions | null> =>
  databaseUrl === null ? runningServerOn(join(dataFolder, 'postgres')) : { url: databaseUrl }

export const checkDatabase = async (config: Config, isApiRunning: boolean): Promise<Finding[]> => {
  const embedded = config.databaseUrl === null
  const connection = await connectionOf(config)
  if (connection === null)
    return [
      isApiRunning
        ? finding(
            'Database',
            'failed',
            `Zoetrope runs, but its PostgreSQL cannot be reached in ${config.dataFolder}/postgres. Restart Zoetrope, or run doctor with the same ZOETROPE_DATA.`,
          )
        : finding('Database', 'ok', 'embedded; it starts with Zoetrope and is not running now'),
      checkOwnClock(),
    ]
  try {
    const { version, number, nowMs } = await ask(connection)
    const pooler = !embedded && (await isTransactionPooler(connection))
    const state =
      number < oldestVersion
        ? finding('Database', 'failed', `PostgreSQL ${version} is too old. Zoetrope requires 15 or newer.`)
        : finding('Database', 'ok', `PostgreSQL ${version}, ${embedded ? 'embedded' : 'external'}`)
    if (pooler)
      return [finding('Database', 'failed', transactionPoolerFound), judgeClock((Date.now() - nowMs) / 1_000)]
    const logins = judgeLogins(await isOwnerInUse(connection))
    const workers = isApiRunning ? [await checkWorkers(connection)] : []
    return [state, ...logins, ...workers, judgeClock((Date.now() - nowMs) / 1_000)]
  } catch (error) {
    const { message } = error as Error
    const help = embedded
      ? 'Its log is in postgres/log in the data folder.'
      : 'Check DATABASE_URL, and that the server accepts connections from this machine.'
    return [
      finding('Database', 'failed', `PostgreSQL does not respond (${message}). ${help}`),
      checkOwnClock(),
    ]
  }
}
