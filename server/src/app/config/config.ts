import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import ipaddr from 'ipaddr.js'

/** A setting that the operator got wrong: the message names it and what it takes. */
export class ConfigError extends Error {}

interface Setting<T> {
  readonly name: string
  readonly fallback: string
  readonly description: string
  readonly isSecret?: boolean
  readonly parse: (text: string, name: string) => T
}

const text = (value: string): string => value
const optional = (value: string): string | null => (value === '' ? null : value)

const flag = (value: string, name: string): boolean => {
  if (value === '1' || value === 'true') return true
  if (value === '0' || value === 'false') return false
  throw new ConfigError(`${name} takes 1 or 0, not "${value}"`)
}

const integer =
  (min: number, max: number) =>
  (value: string, name: string): number => {
    const number = Number(value)
    if (!Number.isInteger(number) || number < min || number > max)
      throw new ConfigError(`${name} takes a whole number from ${min} to ${max}, not "${value}"`)
    return number
  }

const decimal =
  (min: number, max: number) =>
  (value: string, name: string): number => {
    const number = Number(value)
    if (value === '' || !Number.isFinite(number) || number < min || number > max)
      throw new ConfigError(`${name} takes a number from ${min} to ${max}, not "${value}"`)
    return number
  }

const oneOf =
  <const T extends readonly string[]>(choices: T) =>
  (value: string, name: string): T[number] => {
    if (!choices.includes(value)) throw new ConfigError(`${name} takes ${choices.join(', ')}, not "${value}"`)
    return value
  }

const httpUrl = (value: string, name: string): string | null => {
  if (value === '') return null
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new ConfigError(
      `${name} takes an http or https URL such as https://video.example.com, not "${value}"`,
    )
  return value.replace(/\/+$/, '')
}

interface EmbeddedConnection {
  readonly host: string
  readonly user: string
  readonly database: string
}

const embeddedConnection = (value: string): EmbeddedConnection | null =>
  value === '' ? null : (JSON.parse(value) as EmbeddedConnection)

const cidrs = (value: string, name: string): string[] => {
  const items = value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  for (const item of items)
    if (!ipaddr.isValidCIDR(item))
      throw new ConfigError(`${name} takes networks such as 10.0.0.0/8, not "${item}"`)
  return items
}

const locationPath = (value: string, name: string): string | null => {
  if (value === '') return null
  if (!/^(?:\/[A-Za-z0-9._-]+)+$/.test(value))
    throw new ConfigError(`${name} takes a path such as /internal/media, not "${value}"`)
  return value
}

const base64Key = (value: string, name: string): string | null => {
  if (value === '') return null
  if (Buffer.from(value, 'base64').length !== 32) throw new ConfigError(`${name} takes 32 bytes in base64`)
  return value
}

const setting = <T>(
  name: string,
  fallback: string,
  parse: (value: string, name: string) => T,
  description: string,
  isSecret = false,
): Setting<T> => ({ name, fallback, description, parse, isSecret })

const GB = 1_000_000_000
const MiB = 1_048_576

/** Every setting there is; docs/settings.md is written from this table. */
export const settings = {
  dataFolder: setting(
    'ZOETROPE_DATA',
    './data',
    text,
    'Folder of everything that Zoetrope keeps on this machine.',
  ),
  host: setting('ZOETROPE_HOST', '127.0.0.1', text, 'Address to listen on; 0.0.0.0 for all interfaces.'),
  port: setting(
    'ZOETROPE_PORT',
    '8080',
    integer(1, 65_535),
    'TCP port of the API, the playout and the console.',
  ),
  publicUrl: setting(
    'ZOETROPE_PUBLIC_URL',
    '',
    httpUrl,
    'Where browsers and back ends reach this installation; stands in every URL of a record. Default: http://localhost:<port>.',
  ),
  isDemoWanted: setting(
    'ZOETROPE_DEMO',
    '1',
    flag,
    'Make the project "Demo" with a sample video on the first start.',
  ),
  logLevel: setting(
    'ZOETROPE_LOG_LEVEL',
    'info',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const),
    'How much is logged, as JSON lines: to standard error, or to zoetrope.log in the data folder when `up` runs on a terminal.',
  ),
  hasAccessLog: setting(
    'ZOETROPE_ACCESS_LOG',
    '0',
    flag,
    'Log one JSON line for each request that an api process answers, at the level info.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    optional,
    'External PostgreSQL 15 or newer (postgres://…). Default: the embedded server in the data folder.',
    true,
  ),
  masterKey: setting(
    'ZOETROPE_MASTER_KEY',
    '',
    base64Key,
    '32 bytes in base64 that seal secrets in the database. Default: made on first start, kept in master.key in the data folder. The same on every node.',
    true,
  ),
  storage: setting(
    'ZOETROPE_STORAGE',
    'disk',
    oneOf(['disk', 's3'] as const),
    'Where media lies: disk or s3.',
  ),
  formerStorage: setting(
    'ZOETROPE_FORMER_STORAGE',
    'none',
    oneOf(['none', 'disk', 's3'] as const),
    'Where media lay before ZOETROPE_STORAGE was changed: disk or s3. It is read too, and moved by the workers (docs/delivery.md).',
  ),
  s3Bucket: setting('S3_BUCKET', '', text, 'Bucket, when media lies, or lay, on S3.'),
  s3Endpoint: setting('S3_ENDPOINT', '', httpUrl, 'Endpoint of an S3-compatible store; empty for Amazon S3.'),
  s3Region: setting('S3_REGION', 'us-east-1', text, 'Region of the bucket.'),
  s3AccessKeyId: setting('S3_ACCESS_KEY_ID', '', text, 'Access key of the bucket.'),
  s3SecretAccessKey: setting('S3_SECRET_ACCESS_KEY', '', text, 'Secret of that access key.', true),
  rtmpPort: setting(
    'ZOETROPE_RTMP_PORT',
    '1935',
    integer(0, 65_535),
    'TCP port on which encoders publish by RTMP. 0 = none.',
  ),
  rtmpsPort: setting(
    'ZOETROPE_RTMPS_PORT',
    '0',
    integer(0, 65_535),
    'TCP port on which encoders publish by RTMPS; needs ZOETROPE_TLS_CERT and ZOETROPE_TLS_KEY. 0 = none.',
  ),
  srtPort: setting(
    'ZOETROPE_SRT_PORT',
    '10080',
    integer(0, 65_535),
    'UDP port on which encoders publish by SRT, for all streams. 0 = none.',
  ),
  ingestHost: setting(
    'ZOETROPE_INGEST_HOST',
    '',
    optional,
    'Host name that encoders are told for RTMP and SRT, e.g. ingest.example.com. Default: that of ZOETROPE_PUBLIC_URL.',
  ),
  tlsCertFile: setting(
    'ZOETROPE_TLS_CERT',
    '',
    optional,
    'File of the certificate for RTMPS with its chain, in PEM; read again when it has changed.',
  ),
  tlsKeyFile: setting(
    'ZOETROPE_TLS_KEY',
    '',
    optional,
    'File of the private key of that certificate, in PEM.',
  ),
  liveHost: setting(
    'ZOETROPE_LIVE_HOST',
    '',
    optional,
    'Address on which a live node takes streams; 0.0.0.0 for all interfaces. Default: that of ZOETROPE_HOST.',
  ),
  liveUrl: setting(
    'ZOETROPE_LIVE_URL',
    '',
    httpUrl,
    'Where the other nodes reach this live node, e.g. http://10.0.0.5:8090; it listens on that port of ZOETROPE_LIVE_HOST. Default: a free port of this machine, for api processes on the same one.',
  ),
  livePublicUrl: setting(
    'ZOETROPE_LIVE_PUBLIC_URL',
    '',
    httpUrl,
    'Where viewers reach this live node by themselves: api nodes send them there. Default: api nodes pass its bytes on.',
  ),
  liveMaxStreams: setting(
    'ZOETROPE_LIVE_MAX_STREAMS',
    '200',
    integer(1, 10_000),
    'Streams that one live node takes at a time; further publishers are refused.',
  ),
  liveLadders: setting(
    'ZOETROPE_LIVE_LADDERS',
    '',
    (value, name) => (value === '' ? null : integer(0, 1_000)(value, name)),
    'Live streams of which one live node encodes lower rungs at a time; further ones play without. Default: one for each two cores.',
  ),
  liveDiskBytes: setting(
    'ZOETROPE_LIVE_DISK_BYTES',
    String(50 * GB),
    integer(0, Number.MAX_SAFE_INTEGER),
    'What the DVR windows of a live node take on its disk together, in bytes; beyond that the oldest minutes go first.',
  ),
  recordingMaxHours: setting(
    'ZOETROPE_RECORDING_MAX_HOURS',
    '12',
    decimal(0.01, 48),
    'The longest recording of a live stream that is one file; then the next one begins.',
  ),
  maxConnections: setting(
    'ZOETROPE_MAX_CONNECTIONS',
    '20000',
    integer(1, 1_000_000),
    'Connections that each api process holds at a time; further ones are closed. Each idle one takes some 20 KB.',
  ),
  thumbnailDecoders: setting(
    'ZOETROPE_THUMBNAIL_DECODERS',
    '2',
    integer(0, 64),
    'How many thumbnails and animations an api process makes at a time; further requests wait two seconds, then get 429. 0 = none: they get 503.',
  ),
  mediaMemoryBytes: setting(
    'ZOETROPE_MEDIA_MEMORY_BYTES',
    String(64 * MiB),
    integer(0, Number.MAX_SAFE_INTEGER),
    'Segments that each api process keeps in memory, in bytes: what many viewers load at a time is read once. 0 = none.',
  ),
  accelRedirect: setting(
    'ZOETROPE_ACCEL_REDIRECT',
    '',
    locationPath,
    'Internal location of the nginx before Zoetrope, e.g. /internal/media, from which it sends segments itself (docs/delivery.md); for media on disk only. Default: none.',
  ),
  uploadMaxBytes: setting(
    'ZOETROPE_UPLOAD_MAX_BYTES',
    String(50 * GB),
    integer(1, Number.MAX_SAFE_INTEGER),
    'Largest upload in bytes.',
  ),
  uploadExpiryHours: setting(
    'ZOETROPE_UPLOAD_EXPIRY_HOURS',
    '24',
    decimal(0.001, 8_760),
    'An unfinished upload is dropped this long after its last byte.',
  ),
  maxDurationSeconds: setting(
    'ZOETROPE_MAX_DURATION_SECONDS',
    '43200',
    integer(1, 864_000),
    'Longest source that is processed, in seconds.',
  ),
  retentionDays: setting(
    'ZOETROPE_RETENTION_DAYS',
    '7',
    decimal(0, 3_650),
    'Deleted records can be restored for this long; then their media is gone. 0 = at once.',
  ),
  maxPlaylistElements: setting(
    'ZOETROPE_PLAYLIST_MAX_ELEMENTS',
    '1000',
    integer(1, 1_000),
    'How many files a playlist holds at most.',
  ),
  eventRetentionDays: setting(
    'ZOETROPE_EVENT_RETENTION_DAYS',
    '30',
    decimal(1, 3_650),
    'How long events and webhook deliveries are kept.',
  ),
  readsPerMinute: setting(
    'ZOETROPE_READS_PER_MINUTE',
    '600',
    integer(0, 10_000_000),
    'GET requests that one API key may make in a minute, on all nodes together. 0 = no limit.',
  ),
  writesPerMinute: setting(
    'ZOETROPE_WRITES_PER_MINUTE',
    '120',
    integer(0, 10_000_000),
    'POST, PUT and DELETE requests that one API key may make in a minute, on all nodes together. 0 = no limit.',
  ),
  signaturesPerMinute: setting(
    'ZOETROPE_SIGNATURES_PER_MINUTE',
    '0',
    integer(0, 10_000_000),
    'Playout links that one API key may sign in a minute, on all nodes together. They do not count as writes. 0 = no limit.',
  ),
  refusalsPerMinute: setting(
    'ZOETROPE_REFUSALS_PER_MINUTE',
    '60',
    integer(0, 10_000_000),
    'API keys from one address that each api process refuses in a minute before it looks at no further unknown ones. 0 = no limit.',
  ),
  trustedProxies: setting(
    'ZOETROPE_TRUST_PROXY',
    '',
    cidrs,
    'Networks of the reverse proxies in front of Zoetrope, e.g. 127.0.0.1/32,10.0.0.0/8: their X-Forwarded-For tells the address of a caller. Default: none.',
  ),
  idempotencyHours: setting(
    'ZOETROPE_IDEMPOTENCY_HOURS',
    '24',
    decimal(0.01, 8_760),
    'How long the answer to a POST with an Idempotency-Key is kept for repetitions.',
  ),
  sessionIdleHours: setting(
    'ZOETROPE_SESSION_IDLE_HOURS',
    '24',
    decimal(0.05, 8_760),
    'Somebody who signed in and then does nothing for this long must sign in again.',
  ),
  sessionMaxDays: setting(
    'ZOETROPE_SESSION_MAX_DAYS',
    '30',
    decimal(0.01, 365),
    'However busy, a session ends this long after the sign-in.',
  ),
  signInsPerMinute: setting(
    'ZOETROPE_SIGN_INS_PER_MINUTE',
    '10',
    integer(0, 10_000_000),
    'Attempts to sign in from one address that fail in a minute before it must wait, on all nodes together. 0 = no limit.',
  ),
  auditRetentionDays: setting(
    'ZOETROPE_AUDIT_RETENTION_DAYS',
    '365',
    decimal(1, 36_500),
    'How long the log of administrative acts is kept.',
  ),
  workerPort: setting(
    'ZOETROPE_WORKER_PORT',
    '0',
    integer(0, 65_535),
    'TCP port on which a worker answers /healthz, /readyz and /metrics. 0 = none.',
  ),
  liveHealthPort: setting(
    'ZOETROPE_LIVE_HEALTH_PORT',
    '0',
    integer(0, 65_535),
    'TCP port on which a live node answers /healthz, /readyz and /metrics. 0 = none.',
  ),
  encoderConcurrency: setting(
    'ZOETROPE_ENCODER_CONCURRENCY',
    '1',
    integer(1, 64),
    'Ladders encoded at once by one worker; each uses all cores, chunks of one ladder share them.',
  ),
  outboundAllowCidrs: setting(
    'OUTBOUND_ALLOW_CIDRS',
    '',
    cidrs,
    'Private networks that webhooks and SourceURIs may reach, e.g. 10.0.0.0/8,127.0.0.1/32. Default: none.',
  ),
  isOutboundHttpAllowed: setting(
    'OUTBOUND_ALLOW_HTTP',
    '0',
    flag,
    'Let webhooks go to http:// targets, and files come from there, not only https://.',
  ),
  embeddedConnection: setting(
    'ZOETROPE_EMBEDDED_CONNECTION',
    '',
    embeddedConnection,
    'Internal: how the processes of one tree find the embedded PostgreSQL.',
  ),
  supervisorId: setting(
    'ZOETROPE_SUPERVISOR_ID',
    '',
    optional,
    'Internal: names the process that starts the others, and sees them end.',
  ),
  logFile: setting('ZOETROPE_LOG_FILE', '', optional, 'File that logs go to instead of standard error.'),
  drainSeconds: setting(
    'ZOETROPE_DRAIN_SECONDS',
    '20',
    integer(0, 3_600),
    'On SIGTERM, how long requests and jobs under way may take to end.',
  ),
} as const

type Values = { readonly [Key in keyof typeof settings]: ReturnType<(typeof settings)[Key]['parse']> }

export interface Config extends Omit<Values, 'publicUrl' | 'dataFolder'> {
  /** Absolute. */
  readonly dataFolder: string
  /** Without a trailing slash. */
  readonly publicUrl: string
}

/**
 * Reads the environment, then `zoetrope.config` (KEY=value lines) in the data folder, then the defaults. Throws ConfigError with one
 * sentence per wrong setting.
 */
export const loadConfig = (environment: NodeJS.ProcessEnv = process.env): Config => {
  const dataFolder = resolveDataFolder(environment[settings.dataFolder.name])
  const file = join(dataFolder, 'zoetrope.config')
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const wrong: string[] = []
  const known = new Set<string>(Object.values(settings).map(({ name }) => name))
  for (const name of Object.keys(fromFile))
    if (!known.has(name))
      wrong.push(`${file} has an unknown setting ${name}; docs/settings.md lists them all`)
  const entries = Object.entries(settings).map(([key, one]) => {
    const raw = environment[one.name] ?? fromFile[one.name] ?? ''
    try {
      return [key, one.parse(raw === '' ? one.fallback : raw, one.name)]
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      wrong.push(error.message)
      return [key, undefined]
    }
  })
  const values = Object.fromEntries(entries) as Values
  if (
    (values.storage === 's3' || values.formerStorage === 's3') &&
    (values.s3Bucket === '' || values.s3AccessKeyId === '' || values.s3SecretAccessKey === '')
  )
    wrong.push('media on S3 needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY')
  if (values.formerStorage === values.storage)
    wrong.push('ZOETROPE_FORMER_STORAGE is where media lay before; it cannot be the same as ZOETROPE_STORAGE')
  if (values.rtmpsPort !== 0 && (values.tlsCertFile === null || values.tlsKeyFile === null))
    wrong.push('ZOETROPE_RTMPS_PORT needs ZOETROPE_TLS_CERT and ZOETROPE_TLS_KEY')
  if (values.accelRedirect && values.storage !== 'disk')
    wrong.push('ZOETROPE_ACCEL_REDIRECT needs ZOETROPE_STORAGE=disk: nginx sends files')
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  return Object.freeze({
    ...values,
    dataFolder,
    publicUrl: values.publicUrl ?? `http://localhost:${values.port}`,
  })
}

const resolveDataFolder = (value: string | undefined): string => {
  const folder = value === undefined || value === '' ? settings.dataFolder.fallback : value
  return isAbsolute(folder) ? folder : resolve(process.cwd(), folder)
}
