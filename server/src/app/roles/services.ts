import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { loadOrCreateIssuer } from '../../accounts/identity/accounts/first-start.ts'
import { loadSigningKeys, type SigningKeys } from '../../accounts/identity/authentication/signing-keys.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { createDiskBlobStore } from '../../platform/blobs/disk-blob-store.ts'
import { measureBlobStore } from '../../platform/blobs/measured-blob-store.ts'
import { createTwoBlobStores } from '../../platform/blobs/two-blob-stores.ts'
import { findWrongEncoding } from '../../platform/db/requirements/database-encoding.ts'
import { hasRowLevelSecurity } from '../../platform/db/row-level-security.ts'
import { openConnection, type Connection } from '../../platform/db/driver/connection.ts'
import { openDatabase, type ConnectionOptions, type Database } from '../../platform/db/database.ts'
import type { ProcessRole } from '../../platform/db/process-roles/login.ts'
import { pendingMigrations } from '../../platform/db/migrate.ts'
import {
  isTransactionPooler,
  transactionPoolerFound,
} from '../../platform/db/requirements/transaction-pooler.ts'
import { startJobs, type Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import { createMailQueue, type MailQueue } from '../../platform/mail/mail-queue.ts'
import {
  createLimitedSecrets,
  createSecrets,
  loadOrCreateMasterKeys,
  type Secrets,
} from '../../platform/base/secrets.ts'
import { StartupError } from '../../platform/base/startup-error.ts'
import { ensureLinkKey } from '../../playback/access/link-key-store.ts'
import { loadLinkKeys, type LinkKeys } from '../../playback/access/link-keys.ts'
import { createPlayoutTokens, type PlayoutTokens } from '../../playback/access/playout-token.ts'
import { shareConnections } from './share-connections.ts'
import { openStagings } from '../../ingest/uploads/receive/open-stagings.ts'
import type { Stagings } from '../../ingest/uploads/store/stagings.ts'
import { databaseLevel, reportDatabaseLevel, type DatabaseLevel } from './database-login.ts'
import { jobDefinitions } from './job-definitions.ts'
import { s3SettingsOf } from '../config/s3-settings.ts'
import { keyIdOf } from './process-keys.ts'
import { prepareSandbox } from './prepare-sandbox.ts'

/** The shared services of every role, created once per process in dependency order. */
export interface Services {
  readonly config: Config
  readonly log: Log
  readonly database: Database
  readonly secrets: Secrets
  readonly blobs: BlobStore
  /** The store in the bucket; null without one. */
  readonly s3Blobs: BlobStore | null
  /** Null unless media is being moved to another store. */
  readonly moving: MovingStores | null
  readonly jobs: Jobs
  readonly mails: MailQueue
  readonly close: () => Promise<void>
}

/** Requires the master key. */
export interface ApiServices extends Services {
  readonly stagings: Stagings
  readonly signingKeys: SigningKeys
  readonly issuer: string
  readonly linkKeys: LinkKeys
  readonly tokens: PlayoutTokens
}

/**
 * A client gets 503 rather than no response while a transaction outside of Zoetrope holds a lock. Jobs wait instead.
 * Longer than the locks of requests with an Idempotency-Key, and shorter than the wait for a connection.
 */
const lockTimeoutMs = 15_000

export const openDiskStore = (config: Config): BlobStore =>
  measureBlobStore('disk', createDiskBlobStore({ folder: join(config.dataFolder, 'media') }))

const openS3Store = async (config: Config): Promise<BlobStore> => {
  // The SDK takes a third of a second to load, so only S3 installations load it.
  const { createS3BlobStore } = await import('../../platform/blobs/s3/s3-blob-store.ts')
  return measureBlobStore(
    's3',
    createS3BlobStore({
      ...s3SettingsOf(config),
      scratchFolder: join(config.dataFolder, 'scratch'),
    }),
  )
}

export interface MovingStores {
  readonly former: BlobStore
  readonly present: BlobStore
}

type Stores = Pick<Services, 'blobs' | 's3Blobs' | 'moving'>

const openStores = async (config: Config): Promise<Stores> => {
  const { storage, formerStorage } = config
  if (formerStorage === 'none') {
    const s3Blobs = storage === 's3' ? await openS3Store(config) : null
    return { blobs: s3Blobs ?? openDiskStore(config), s3Blobs, moving: null }
  }
  const [disk, s3] = [openDiskStore(config), await openS3Store(config)]
  const lendingFolder = join(config.dataFolder, 'media', 'temporary')
  return {
    blobs: createTwoBlobStores({ disk, s3, present: storage, lendingFolder }),
    s3Blobs: s3,
    moving: storage === 'disk' ? { former: s3, present: disk } : { former: disk, present: s3 },
  }
}

export const loadSecrets = async ({ processKeys, masterKey, dataFolder }: Config): Promise<Secrets> => {
  if (processKeys !== null) return createLimitedSecrets(processKeys)
  const { current, former } = masterKey ?? (await loadOrCreateMasterKeys(join(dataFolder, 'master.key')))
  return createSecrets(current, former)
}

export const databaseUnreachable = (error: unknown): StartupError =>
  new StartupError(
    `The database does not respond (${(error as Error).message}). Check DATABASE_URL, and that the server accepts connections from this machine.`,
  )

const embeddedUnreachable = (error: unknown): StartupError =>
  new StartupError(
    `The embedded PostgreSQL does not respond (${(error as Error).message}). If this continues, restart Zoetrope. The log is in postgres/log in the data folder.`,
  )

/**
 * Makes the first connection. Throws a StartupError when the database is unreachable or has another
 * encoding than UTF-8, or when a transaction pooler would break row-level security.
 */
export const checkConnection = async (connection: ConnectionOptions): Promise<void> => {
  // The embedded server has no pooler.
  if (!('url' in connection)) return
  const isPooled = await isTransactionPooler(connection).catch((error: unknown) => {
    throw databaseUnreachable(error)
  })
  if (isPooled) throw new StartupError(transactionPoolerFound)
  const wrongEncoding = await findWrongEncoding(connection)
  if (wrongEncoding !== null) throw new StartupError(wrongEncoding)
}

/** Throws a StartupError when migrations are missing. */
export const checkMigrations = async (where: ConnectionOptions): Promise<void> => {
  const connection = await openConnection(where)
  try {
    await checkMigrated(connection)
  } finally {
    connection.discard()
  }
}

/** Returns the newest migration if only a newer release has it. */
const checkMigrated = async (connection: Connection): Promise<string | null> => {
  const { count, isFirst, newer } = await pendingMigrations(connection)
  if (count === 0) return newer
  const state = isFirst
    ? 'The database is empty'
    : `The database is from an earlier release (${count} ${count === 1 ? 'migration is' : 'migrations are'} missing)`
  throw new StartupError(`${state}. Run \`./zoetrope migrate\` on one node, then start this again.`)
}

/** Roles do not migrate, because many of them may start at once on many machines. */
const checkDatabase = async (where: ConnectionOptions, log: Log): Promise<DatabaseLevel> => {
  const connection = await openConnection(where).catch((error: unknown) => {
    throw 'url' in where ? databaseUnreachable(error) : embeddedUnreachable(error)
  })
  try {
    const newer = await checkMigrated(connection)
    // Processes of the former release may start again during a rolling upgrade.
    if (newer !== null)
      log.warn({ migration: newer }, 'a newer release has migrated the database. Upgrade this node, too')
    return await databaseLevel(connection)
  } finally {
    connection.discard()
  }
}

/** Throws a StartupError for a database that has not been migrated. */
export const buildServices = async (
  config: Config,
  where: ConnectionOptions,
  log: Log,
  { role }: { readonly role: ProcessRole | 'supervisor' },
): Promise<Services> => {
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  // The supervisor runs no media processes, but tells the operator at once that a start is impossible.
  if (role !== 'supervisor' || config.sandbox === 'required') prepareSandbox(config, log)
  const secrets = await loadSecrets(config)
  const connection = { ...where, keyId: keyIdOf(role, secrets) }
  await checkConnection(connection)
  const level = await checkDatabase(connection, log)
  if (role !== 'supervisor') reportDatabaseLevel(level, config.databaseRoles, log)
  // Only the API serves requests of accounts.
  const isRowSecurityEnabled = role === 'api' && (await hasRowLevelSecurity(connection))
  if (role === 'api' && !isRowSecurityEnabled)
    log.warn(
      'row-level security is off because the database user cannot use the role zoetrope_tenant (see docs/operations.md)',
    )
  const { pooled, pipelined, queue } = shareConnections(config.databaseConnections)
  const database = openDatabase(connection, {
    isRowSecurityEnabled,
    maxConnections: pooled,
    pipelineConnections: pipelined,
    lockTimeoutMs: role === 'api' ? lockTimeoutMs : null,
  })
  const jobs = await startJobs({
    connection,
    definitions: jobDefinitions,
    log,
    isWorker: role === 'worker',
    maxConnections: queue,
  })
  return {
    config:
      role === 'supervisor' ? config : { ...config, publicUrl: await sharedPublicUrl(database, config, log) },
    log,
    database,
    secrets,
    ...(await openStores(config)),
    jobs,
    mails: createMailQueue({ isOn: config.smtp !== null, jobs, sealer: secrets.workers }),
    close: async () => {
      await jobs.stop({ graceMs: 0 })
      await database.close()
    },
  }
}

export const openUploadStagings = ({ config, database, blobs, s3Blobs }: Services): Promise<Stagings> =>
  openStagings({
    dataFolder: config.dataFolder,
    blobs,
    s3: s3Blobs === null ? null : { settings: s3SettingsOf(config), blobs: s3Blobs, sql: database.sql },
    present: config.uploadStaging,
  })

/** Throws a StartupError when the database belongs to another master key. */
export const addApiServices = async (services: Services): Promise<ApiServices> => {
  const { database, secrets, log } = services
  await ensureLinkKey(database, secrets)
  const linkKeys = await loadLinkKeys(database, secrets.liveNodes, log)
  return {
    ...services,
    stagings: await openUploadStagings(services),
    signingKeys: await loadSigningKeys(database, secrets),
    issuer: await loadOrCreateIssuer(database),
    linkKeys,
    tokens: createPlayoutTokens(linkKeys),
  }
}

const publicUrlSetting = 'public_url'

const readPublicUrl = async (database: Database): Promise<string | null> => {
  const row = await database.kysely
    .selectFrom('installation_settings')
    .select('value')
    .where('name', '=', publicUrlSetting)
    .executeTakeFirst()
  return row?.value ?? null
}

/** The URL of the installation, where a node does not set it: its own default would get into the records. */
const sharedPublicUrl = async (database: Database, config: Config, log: Log): Promise<string> => {
  const { publicUrl, isPublicUrlSet } = config
  const known = await readPublicUrl(database)
  if (known === null && !isPublicUrlSet)
    log.warn({ publicUrl }, 'ZOETROPE_PUBLIC_URL is not set: records of this process get local URLs')
  if (known === null || known === publicUrl) return publicUrl
  if (!isPublicUrlSet) return known
  log.warn(
    { publicUrl, publicUrlOfRecords: known },
    'ZOETROPE_PUBLIC_URL differs from the URL in the records. Set the same value on all nodes, and run `./zoetrope migrate` with it',
  )
  return publicUrl
}

/**
 * Stored records contain absolute URLs. Updates them when the public URL of the installation has changed.
 * Returns the former one, or null if nothing has changed.
 */
export const adoptPublicUrl = (database: Database, publicUrl: string): Promise<string | null> =>
  database.transaction(async (tx) => {
    const known = await tx
      .selectFrom('installation_settings')
      .select('value')
      .where('name', '=', publicUrlSetting)
      .forUpdate()
      .executeTakeFirst()
    if (known?.value === publicUrl) return null
    if (known !== undefined) {
      const { moveRecordsToPublicUrl } = await import('../../library/files/record/media-file-store.ts')
      await moveRecordsToPublicUrl(tx, known.value, publicUrl)
    }
    await tx
      .insertInto('installation_settings')
      .values({ name: publicUrlSetting, value: publicUrl })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: publicUrl }))
      .execute()
    return known?.value ?? null
  })
