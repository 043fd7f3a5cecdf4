import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import {
  ConfigError,
  cidrs,
  clickHouseUrl,
  contactUris,
  date,
  decimal,
  derivedKeys,
  embeddedConnection,
  flag,
  httpUrl,
  integer,
  locationPath,
  masterKeys,
  oneOf,
  optional,
  setting,
  smtpUrl,
  strictTransport,
  syslogTarget,
  text,
  type Setting,
} from './setting.ts'

const GB = 1_000_000_000
const MiB = 1_048_576

/** All settings. `npm run settings` writes docs/settings.md from this table. */
export const settings = {
  dataFolder: setting('ZOETROPE_DATA', './data', text, 'Folder for all data of Zoetrope on this machine.'),
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
    'URL at which browsers and back ends reach this installation. All URLs in records begin with it. Default: http://localhost:<port>.',
  ),
  isDemoWanted: setting(
    'ZOETROPE_DEMO',
    '1',
    flag,
    'Create the project "Demo" with a sample video on the first start.',
  ),
  logLevel: setting(
    'ZOETROPE_LOG_LEVEL',
    'info',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const),
    'Lowest level of log messages. They are JSON lines on standard error, or in zoetrope.log in the data folder when `up` runs on a terminal.',
  ),
  hasAccessLog: setting(
    'ZOETROPE_ACCESS_LOG',
    '0',
    flag,
    'Log one JSON line for each request to an api process, at level info.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    optional,
    'External PostgreSQL 15 or newer (postgres://…). Default: the embedded server in the data folder.',
    true,
  ),
  databaseRoles: setting(
    'ZOETROPE_DATABASE_ROLES',
    'auto',
    oneOf(['auto', 'required', 'off'] as const),
    'How the processes log in to PostgreSQL (docs/operations.md). auto: each process has its own login with only the rights that it needs, if the user in DATABASE_URL can create logins; required: refuse to start without these logins; off: all processes log in as the user in DATABASE_URL.',
  ),
  migrations: setting(
    'ZOETROPE_MIGRATIONS',
    'auto',
    oneOf(['auto', 'manual'] as const),
    'auto: `up`, and `serve` without a role, bring the database up to date at their start; manual: they refuse to start on the database of an earlier release, until you have run `./zoetrope migrate`. `serve --role …` never changes the tables.',
  ),
  databaseConnections: setting(
    'ZOETROPE_DATABASE_CONNECTIONS',
    '16',
    integer(4, 500),
    'Connections to PostgreSQL that a process may open. A worker opens up to five more.',
  ),
  masterKey: setting(
    'ZOETROPE_MASTER_KEY',
    '',
    masterKeys,
    'Key that encrypts secrets in the database: 32 bytes in base64, the same on every node. During a rotation also the former key, after a comma. Default: created on the first start and stored in master.key in the data folder.',
    true,
  ),
  processKeys: setting(
    'ZOETROPE_PROCESS_KEYS',
    '',
    derivedKeys,
    'Keys of a worker or a live node, in place of the master key: the output of `./zoetrope process-keys worker` or `live` (docs/operations.md).',
    true,
  ),
  storage: setting(
    'ZOETROPE_STORAGE',
    'disk',
    oneOf(['disk', 's3'] as const),
    'Storage of media: disk or s3.',
  ),
  formerStorage: setting(
    'ZOETROPE_FORMER_STORAGE',
    'none',
    oneOf(['none', 'disk', 's3'] as const),
    'Storage of media before you changed ZOETROPE_STORAGE: disk or s3. Zoetrope also reads media from there, and workers move it (docs/delivery.md).',
  ),
  s3Bucket: setting('S3_BUCKET', '', text, 'Bucket for media on S3.'),
  s3Endpoint: setting('S3_ENDPOINT', '', httpUrl, 'Endpoint of an S3-compatible store; empty for Amazon S3.'),
  s3Region: setting('S3_REGION', 'us-east-1', text, 'Region of the bucket.'),
  s3AccessKeyId: setting('S3_ACCESS_KEY_ID', '', text, 'Access key of the bucket.'),
  s3SecretAccessKey: setting('S3_SECRET_ACCESS_KEY', '', text, 'Secret of that access key.', true),
  rtmpPort: setting(
    'ZOETROPE_RTMP_PORT',
    '1935',
    integer(0, 65_535),
    'TCP port for RTMP ingest. 0 = disabled.',
  ),
  rtmpsPort: setting(
    'ZOETROPE_RTMPS_PORT',
    '0',
    integer(0, 65_535),
    'TCP port for RTMPS ingest. Requires ZOETROPE_TLS_CERT and ZOETROPE_TLS_KEY. 0 = disabled.',
  ),
  srtPort: setting(
    'ZOETROPE_SRT_PORT',
    '10080',
    integer(0, 65_535),
    'UDP port for SRT ingest, shared by all streams. 0 = disabled.',
  ),
  ingestHost: setting(
    'ZOETROPE_INGEST_HOST',
    '',
    optional,
    'Host name in the ingest URLs for encoders, such as ingest.example.com. Default: the host of ZOETROPE_PUBLIC_URL.',
  ),
  tlsCertFile: setting(
    'ZOETROPE_TLS_CERT',
    '',
    optional,
    'PEM file of the certificate for RTMPS, with its chain. It is reloaded when it changes.',
  ),
  tlsKeyFile: setting('ZOETROPE_TLS_KEY', '', optional, 'PEM file of the private key of that certificate.'),
  liveHost: setting(
    'ZOETROPE_LIVE_HOST',
    '',
    optional,
    'Address on which a live node accepts streams; 0.0.0.0 for all interfaces. Default: ZOETROPE_HOST.',
  ),
  liveUrl: setting(
    'ZOETROPE_LIVE_URL',
    '',
    httpUrl,
    'URL at which other nodes reach this live node, such as http://10.0.0.5:8090. The node listens on that port of ZOETROPE_LIVE_HOST. Default: a free port, for api processes on the same machine.',
  ),
  livePublicUrl: setting(
    'ZOETROPE_LIVE_PUBLIC_URL',
    '',
    httpUrl,
    'URL at which viewers reach this live node directly; api nodes redirect viewers to it. Default: api nodes proxy the stream.',
  ),
  liveMaxStreams: setting(
    'ZOETROPE_LIVE_MAX_STREAMS',
    '200',
    integer(1, 10_000),
    'Largest number of concurrent streams on one live node. Further encoders are refused.',
  ),
  ingestConnectionsPerAddress: setting(
    'ZOETROPE_INGEST_CONNECTIONS_PER_ADDRESS',
    '50',
    integer(0, 10_000),
    'Largest number of connections of one address to each ingest protocol of a live node: encoders behind one router share it. 0 = no limit.',
  ),
  liveLadders: setting(
    'ZOETROPE_LIVE_LADDERS',
    '',
    (value, name) => (value === '' ? null : integer(0, 1_000)(value, name)),
    'Largest number of live streams that one live node transcodes at a time. Further streams play without lower renditions. Default: one for every two cores.',
  ),
  liveDiskBytes: setting(
    'ZOETROPE_LIVE_DISK_BYTES',
    String(50 * GB),
    integer(0, Number.MAX_SAFE_INTEGER),
    'Largest disk space of all DVR windows on a live node, in bytes. Above it, the oldest minutes are deleted. Windows in the media storage do not count.',
  ),
  liveDvr: setting(
    'ZOETROPE_LIVE_DVR',
    '',
    (value, name) => (value === '' ? null : oneOf(['disk', 'media'] as const)(value, name)),
    'Where a live node stores DVR windows: disk (its own), or media (the media storage), where other live nodes find them. Default: media if media is on S3 and the live node runs without ./zoetrope up, otherwise disk.',
  ),
  liveRecordings: setting(
    'ZOETROPE_LIVE_RECORDINGS',
    '',
    (value, name) => (value === '' ? null : oneOf(['disk', 'media'] as const)(value, name)),
    'Where a live node stores recordings until they are files: disk (its own), or media (the media storage), where other live nodes continue them. Default: media if media is on S3 and the live node runs without ./zoetrope up, otherwise disk.',
  ),
  recordingMaxHours: setting(
    'ZOETROPE_RECORDING_MAX_HOURS',
    '12',
    decimal(0.01, 48),
    'Longest recording of a live stream in one file. Then the next file starts.',
  ),
  maxConnections: setting(
    'ZOETROPE_MAX_CONNECTIONS',
    '20000',
    integer(1, 1_000_000),
    'Largest number of connections to each api process. Further ones are closed. An idle connection takes about 20 KB.',
  ),
  connectionsPerAddress: setting(
    'ZOETROPE_CONNECTIONS_PER_ADDRESS',
    '2000',
    integer(0, 1_000_000),
    'Largest number of connections of one address to each api process. Behind a trusted proxy, the requests in progress of each forwarded address count instead. Further ones are closed, or get 429. 0 = no limit.',
  ),
  eventStreamsPerAddress: setting(
    'ZOETROPE_EVENT_STREAMS_PER_ADDRESS',
    '200',
    integer(0, 1_000_000),
    'Largest number of open event streams of one address on each api process. 0 = no limit.',
  ),
  sandbox: setting(
    'ZOETROPE_SANDBOX',
    'auto',
    oneOf(['auto', 'required', 'off'] as const),
    'How ffmpeg is confined. auto: the strongest way that works on this machine; required: start only with bubblewrap; off: only limits of time and memory (docs/operations.md).',
  ),
  thumbnailDecoders: setting(
    'ZOETROPE_THUMBNAIL_DECODERS',
    '2',
    integer(0, 64),
    'Largest number of thumbnails and animations that an api process creates at a time. Further requests wait two seconds and then get 429. 0 = disabled: requests get 503.',
  ),
  mediaMemoryBytes: setting(
    'ZOETROPE_MEDIA_MEMORY_BYTES',
    String(64 * MiB),
    integer(0, Number.MAX_SAFE_INTEGER),
    'Size of the segment cache in the memory of each api process, in bytes. 0 = disabled.',
  ),
  isAnalyticsOn: setting(
    'ZOETROPE_ANALYTICS',
    'on',
    (value, name) => oneOf(['on', 'off'] as const)(value, name) === 'on',
    'Whether to collect views and their quality (docs/analytics.md). off: collects nothing, and answers 410 to reports of players.',
  ),
  isAnalyticsOptOutRespected: setting(
    'ZOETROPE_ANALYTICS_RESPECT_OPT_OUT',
    '1',
    flag,
    'Collect nothing from browsers that send `DNT: 1` or `Sec-GPC: 1` (Global Privacy Control).',
  ),
  analyticsViewDays: setting(
    'ZOETROPE_ANALYTICS_VIEW_DAYS',
    '30',
    decimal(0, 3_650),
    'How long the row of each view is kept, in days. Sums are kept for 400 days.',
  ),
  analyticsViews: setting(
    'ZOETROPE_ANALYTICS_VIEWS',
    'postgres',
    oneOf(['postgres', 'parquet', 'clickhouse'] as const),
    'Where the rows of views are kept (docs/analytics.md). postgres: in the database; parquet: workers also write the views of each past day to Parquet files in the media storage, which requires the optional package @duckdb/node-api; clickhouse: workers also send them to a ClickHouse server.',
  ),
  analyticsArchiveDays: setting(
    'ZOETROPE_ANALYTICS_ARCHIVE_DAYS',
    '400',
    decimal(1, 3_650),
    'How long the Parquet files of views are kept, in days.',
  ),
  clickHouseUrl: setting(
    'ZOETROPE_CLICKHOUSE_URL',
    '',
    clickHouseUrl,
    'ClickHouse server for ZOETROPE_ANALYTICS_VIEWS=clickhouse, with user, password and database: https://user:password@host:8443/zoetrope.',
    true,
  ),
  analyticsMemoryBytes: setting(
    'ZOETROPE_ANALYTICS_MEMORY_BYTES',
    String(512 * MiB),
    integer(64 * MiB, Number.MAX_SAFE_INTEGER),
    'Largest memory of the process that reads and writes Parquet files, one for each api process and worker, in bytes.',
  ),
  isAnalyticsPageCollected: setting(
    'ZOETROPE_ANALYTICS_PAGES',
    '0',
    flag,
    'Collect the path of the page that plays, without its query (docs/analytics.md).',
  ),
  analyticsCountryDatabase: setting(
    'ZOETROPE_ANALYTICS_COUNTRY_DATABASE',
    '',
    optional,
    'Path of a database of countries in MaxMind format (.mmdb), such as GeoLite2-Country or DB-IP. It is read again each day. Default: the included one.',
  ),
  analyticsSmallestGroup: setting(
    'ZOETROPE_ANALYTICS_SMALLEST_GROUP',
    '10',
    integer(1, 1_000),
    'Smallest number of views that analytics shows for one country, browser, operating system, player, page or custom value. 1 = all.',
  ),
  accelRedirect: setting(
    'ZOETROPE_ACCEL_REDIRECT',
    '',
    locationPath,
    'Internal location of the nginx in front of Zoetrope, such as /internal/media, from which nginx serves segments (docs/delivery.md). Only for media on disk. Default: none.',
  ),
  uploadMaxBytes: setting(
    'ZOETROPE_UPLOAD_MAX_BYTES',
    String(50 * GB),
    integer(1, Number.MAX_SAFE_INTEGER),
    'Largest upload in bytes.',
  ),
  uploadStagingSetting: setting(
    'ZOETROPE_UPLOAD_STAGING',
    'auto',
    oneOf(['auto', 'disk', 's3'] as const),
    'Where the bytes of unfinished uploads are. s3: in the bucket, so that every api node can continue every upload; disk: on the api node that received the first byte. auto: s3 with ZOETROPE_STORAGE=s3, otherwise disk (docs/operations.md).',
  ),
  uploadExpiryHours: setting(
    'ZOETROPE_UPLOAD_EXPIRY_HOURS',
    '24',
    decimal(0.001, 8_760),
    'How long an unfinished upload is kept after its last byte.',
  ),
  projectQuotaBytes: setting(
    'ZOETROPE_PROJECT_QUOTA_BYTES',
    '0',
    integer(0, Number.MAX_SAFE_INTEGER),
    'StorageQuotaBytes of a new project whose request does not name it. 0 = no quota.',
  ),
  maxDurationSeconds: setting(
    'ZOETROPE_MAX_DURATION_SECONDS',
    '43200',
    integer(1, 864_000),
    'Longest source that Zoetrope processes, in seconds.',
  ),
  retentionDays: setting(
    'ZOETROPE_RETENTION_DAYS',
    '7',
    decimal(0, 3_650),
    'How long deleted records can be restored. Then their media is deleted. 0 = at once.',
  ),
  maxPlaylistElements: setting(
    'ZOETROPE_PLAYLIST_MAX_ELEMENTS',
    '1000',
    integer(1, 1_000),
    'Largest number of files in a playlist.',
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
    'GET requests per minute and API key, over all nodes. 0 = no limit.',
  ),
  writesPerMinute: setting(
    'ZOETROPE_WRITES_PER_MINUTE',
    '120',
    integer(0, 10_000_000),
    'POST, PUT and DELETE requests per minute and API key, over all nodes. 0 = no limit.',
  ),
  signaturesPerMinute: setting(
    'ZOETROPE_SIGNATURES_PER_MINUTE',
    '0',
    integer(0, 10_000_000),
    'Playout links that one API key can sign per minute, over all nodes. They do not count as writes. 0 = no limit.',
  ),
  refusalsPerMinute: setting(
    'ZOETROPE_REFUSALS_PER_MINUTE',
    '60',
    integer(0, 10_000_000),
    'Invalid API keys per minute and address. Above it, an api process refuses unknown keys of that address without checking them. 0 = no limit.',
  ),
  trustedProxies: setting(
    'ZOETROPE_TRUST_PROXY',
    '',
    cidrs,
    'Networks of the reverse proxies in front of Zoetrope, such as 127.0.0.1/32,10.0.0.0/8. Zoetrope reads the client address from their X-Forwarded-For. Default: none.',
  ),
  hsts: setting(
    'ZOETROPE_HSTS',
    'max-age=31536000',
    strictTransport,
    'Value of the header Strict-Transport-Security while ZOETROPE_PUBLIC_URL is https, such as "max-age=63072000; includeSubDomains; preload". off = not sent.',
  ),
  securityContacts: setting(
    'ZOETROPE_SECURITY_CONTACT',
    '',
    contactUris,
    'Where to report vulnerabilities of this installation, such as mailto:security@example.com or an https URL; a comma-separated list. Published in /.well-known/security.txt. Default: none, and 404.',
  ),
  securityExpiresAt: setting(
    'ZOETROPE_SECURITY_EXPIRES',
    '',
    date,
    'Date until which /.well-known/security.txt is valid, such as 2027-01-31. From then on it answers 404. Default: always 180 days ahead.',
  ),
  docsEditUrl: setting(
    'ZOETROPE_DOCS_EDIT_URL',
    '',
    httpUrl,
    'URL at which readers of /docs can edit the pages, without the path of the page, such as https://git.example.com/video/zoetrope/edit/main (docs/quickstart.md is appended). Default: no link; pages show their path in the repository.',
  ),
  idempotencyHours: setting(
    'ZOETROPE_IDEMPOTENCY_HOURS',
    '24',
    decimal(0.01, 8_760),
    'How long the response to a POST with an Idempotency-Key is kept for repeated requests.',
  ),
  sessionIdleHours: setting(
    'ZOETROPE_SESSION_IDLE_HOURS',
    '24',
    decimal(0.05, 8_760),
    'How long a session lasts without requests. Then the user must sign in again.',
  ),
  sessionMaxDays: setting(
    'ZOETROPE_SESSION_MAX_DAYS',
    '30',
    decimal(0.01, 365),
    'Longest duration of a session.',
  ),
  smtpUrl: setting(
    'ZOETROPE_SMTP_URL',
    '',
    smtpUrl,
    'SMTP server for e-mails, such as smtps://user:password@mail.example.com or smtp://mail.example.com:587. Empty = no e-mails.',
    true,
  ),
  mailFrom: setting(
    'ZOETROPE_MAIL_FROM',
    '',
    text,
    'Sender of e-mails, such as Zoetrope <video@example.com>. Required with ZOETROPE_SMTP_URL.',
  ),
  breachedPasswordsUrl: setting(
    'ZOETROPE_BREACHED_PASSWORDS_URL',
    '',
    httpUrl,
    'Range API of breached passwords, such as https://api.pwnedpasswords.com/range. New passwords that it lists are refused. It receives five digits of a SHA-1, never a password. Empty = no check.',
  ),
  signInsPerMinute: setting(
    'ZOETROPE_SIGN_INS_PER_MINUTE',
    '10',
    integer(0, 10_000_000),
    'Failed sign-ins per minute and address, over all nodes. Above it, the address must wait. 0 = no limit.',
  ),
  auditRetentionDays: setting(
    'ZOETROPE_AUDIT_RETENTION_DAYS',
    '365',
    decimal(1, 36_500),
    'How long audit log entries are kept.',
  ),
  auditSyslog: setting(
    'ZOETROPE_AUDIT_SYSLOG',
    '',
    syslogTarget,
    'Syslog receiver of the audit log (RFC 5424): tls://host:6514, tcp://host:514 or udp://host:514. Workers send every entry of all accounts (docs/sign-in.md). Default: none.',
  ),
  auditSyslogCaFile: setting(
    'ZOETROPE_AUDIT_SYSLOG_CA',
    '',
    optional,
    'PEM file of the certificate authority that signs the certificate of that receiver. Default: the authorities of Node.js.',
  ),
  metricsToken: setting(
    'ZOETROPE_METRICS_TOKEN',
    '',
    optional,
    'Token for /metrics of the api processes: Prometheus sends it as `Authorization: Bearer`. Without it, only workers and live nodes serve metrics, on their own ports.',
    true,
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '',
    httpUrl,
    'OpenTelemetry collector that takes traces (OTLP over HTTP with JSON), such as http://collector.example.com:4318. Default: no traces.',
  ),
  otlpHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    '',
    text,
    'Headers for the collector, such as api-key=…; a comma-separated list with percent-encoded values.',
    true,
  ),
  traceRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    decimal(0, 1),
    'Part of the traces that are sent to the collector, from 0 to 1.',
  ),
  traceServiceName: setting('OTEL_SERVICE_NAME', 'zoetrope', text, 'Name of this installation in traces.'),
  workerPort: setting(
    'ZOETROPE_WORKER_PORT',
    '0',
    integer(0, 65_535),
    'TCP port for /healthz, /readyz and /metrics of a worker. 0 = disabled.',
  ),
  liveHealthPort: setting(
    'ZOETROPE_LIVE_HEALTH_PORT',
    '0',
    integer(0, 65_535),
    'TCP port for /healthz, /readyz and /metrics of a live node. 0 = disabled.',
  ),
  encoderConcurrency: setting(
    'ZOETROPE_ENCODER_CONCURRENCY',
    '1',
    integer(0, 64),
    'Number of ladders that one worker encodes at a time. Each uses all cores; the chunks of one ladder share them. 0 = remote workers encode them; local workers encode only what remote workers cannot.',
  ),
  outboundAllowCidrs: setting(
    'OUTBOUND_ALLOW_CIDRS',
    '',
    cidrs,
    'Private networks that webhooks and SourceURIs may reach, such as 10.0.0.0/8,127.0.0.1/32. Default: none.',
  ),
  isOutboundHttpAllowed: setting(
    'OUTBOUND_ALLOW_HTTP',
    '0',
    flag,
    'Allow http:// URLs, in addition to https://, for webhooks and sources.',
  ),
  embeddedConnection: setting(
    'ZOETROPE_EMBEDDED_CONNECTION',
    '',
    embeddedConnection,
    'Internal: address of the embedded PostgreSQL.',
    true,
  ),
  supervisorId: setting('ZOETROPE_SUPERVISOR_ID', '', optional, 'Internal: the supervisor process.'),
  logFile: setting('ZOETROPE_LOG_FILE', '', optional, 'Log file, instead of standard error.'),
  stopDelaySeconds: setting(
    'ZOETROPE_STOP_DELAY_SECONDS',
    '0',
    integer(0, 600),
    'How long an api or live process still serves everything after SIGTERM, while /readyz returns 503. Set it behind a load balancer, longer than it takes to notice. Then ZOETROPE_DRAIN_SECONDS begin.',
  ),
  drainSeconds: setting(
    'ZOETROPE_DRAIN_SECONDS',
    '20',
    integer(0, 3_600),
    'How long running requests and jobs may take to end after SIGTERM.',
  ),
} as const

type Values = { readonly [Key in keyof typeof settings]: ReturnType<(typeof settings)[Key]['parse']> }

export interface Config extends Omit<Values, 'publicUrl' | 'dataFolder' | 'uploadStagingSetting'> {
  /** Null = no e-mails. */
  readonly smtp: { readonly url: string; readonly from: string } | null
  /** Absolute. */
  readonly dataFolder: string
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly uploadStaging: 'disk' | 's3'
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
      wrong.push(`${file} contains the unknown setting ${name}. docs/settings.md lists all settings`)
  const entries = Object.entries(settings).map(([key, one]) => {
    try {
      const raw = environment[one.name] ?? readSecret(environment, one) ?? fromFile[one.name] ?? ''
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
    wrong.push('media on S3 requires S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY')
  if (values.formerStorage === values.storage)
    wrong.push('ZOETROPE_FORMER_STORAGE must differ from ZOETROPE_STORAGE')
  if (values.rtmpsPort !== 0 && (values.tlsCertFile === null || values.tlsKeyFile === null))
    wrong.push('ZOETROPE_RTMPS_PORT needs ZOETROPE_TLS_CERT and ZOETROPE_TLS_KEY')
  if (values.uploadStagingSetting === 's3' && values.storage !== 's3')
    wrong.push('ZOETROPE_UPLOAD_STAGING=s3 requires ZOETROPE_STORAGE=s3')
  if (values.accelRedirect && values.storage !== 'disk')
    wrong.push('ZOETROPE_ACCEL_REDIRECT requires ZOETROPE_STORAGE=disk')
  if (values.smtpUrl !== null && !values.mailFrom.includes('@'))
    wrong.push('ZOETROPE_SMTP_URL requires ZOETROPE_MAIL_FROM, such as Zoetrope <video@example.com>')
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  return Object.freeze({
    ...values,
    smtp: values.smtpUrl === null ? null : { url: values.smtpUrl, from: values.mailFrom },
    // A process with keys of its own must not hold the master key, which zoetrope.config may contain.
    masterKey: values.processKeys === null ? values.masterKey : null,
    dataFolder,
    uploadStaging: values.uploadStagingSetting === 'auto' ? values.storage : values.uploadStagingSetting,
    publicUrl: values.publicUrl ?? `http://localhost:${values.port}`,
  })
}

/** Containers get secrets as files: `DATABASE_URL_FILE=/run/secrets/database-url`. */
const readSecret = (environment: NodeJS.ProcessEnv, { name, isSecret }: Setting<unknown>): string | null => {
  const file = environment[`${name}_FILE`] ?? ''
  if (!(isSecret ?? false) || file === '') return null
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(`cannot read ${name}_FILE (${(error as Error).message})`)
  }
}

/** Processes that this one starts must not inherit secrets. */
export const forgetSecrets = (): void => {
  for (const { name, isSecret } of Object.values(settings)) if (isSecret ?? false) delete process.env[name]
}

const resolveDataFolder = (value: string | undefined): string => {
  const folder = value === undefined || value === '' ? settings.dataFolder.fallback : value
  return isAbsolute(folder) ? folder : resolve(process.cwd(), folder)
}
