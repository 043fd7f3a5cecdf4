import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from './config.ts'
import { explainIneffectiveSettings } from './explain-ineffective-settings.ts'
import { ConfigError } from './settings/setting.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-config-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('the defaults apply without settings', () => {
  expect(loadConfig({ ZOETROPE_DATA: folder })).toMatchObject({
    dataFolder: folder,
    port: 8080,
    publicUrl: 'http://localhost:8080',
    isDemoWanted: true,
    storage: 'disk',
    retentionDays: 7,
  })
})

test('the environment overrides zoetrope.config in the data folder', async () => {
  await writeFile(join(folder, 'zoetrope.config'), 'ZOETROPE_PORT=9000\nZOETROPE_RETENTION_DAYS=3\n')
  expect(loadConfig({ ZOETROPE_DATA: folder, ZOETROPE_PORT: '9001' })).toMatchObject({
    port: 9001,
    retentionDays: 3,
  })
})

test('explains environment variables that have no effect, except those of Kubernetes and the launcher', () => {
  const environment = {
    ZOETROPE_RETENTION_DAY: '3',
    ZOETROPE_PORT_FILE: '/run/secrets/port',
    ZOETROPE_PORT: '9000',
    ZOETROPE_MASTER_KEY_FILE: '/run/secrets/key',
    ZOETROPE_CALLED_AS: 'zoetrope',
    ZOETROPE_API_PORT: 'tcp://10.0.0.1:8080',
    ZOETROPE_API_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
    ZOETROPE_API_SERVICE_HOST: '10.0.0.1',
    ZOETROPE_API_SERVICE_PORT_HTTP: '8080',
    HOME: '/root',
  }
  expect(explainIneffectiveSettings(environment)).toEqual([
    expect.stringMatching(/^ZOETROPE_PORT_FILE is not a setting/),
    expect.stringMatching(/^ZOETROPE_RETENTION_DAY is not a setting/),
  ])
})

test.each([
  'postgres:///app?host=/var/run/postgresql',
  'postgres://app:secret@/app',
  '/var/run/postgresql app',
])('accepts the socket in DATABASE_URL %s', (url) => {
  expect(loadConfig({ ZOETROPE_DATA: folder, DATABASE_URL: url }).databaseUrl).toBe(url)
})

test('warns when a secret and its file are both set', () => {
  const both = { DATABASE_URL: 'postgres://app@db/app', DATABASE_URL_FILE: '/run/secrets/database-url' }
  expect(explainIneffectiveSettings(both)).toEqual([
    'DATABASE_URL and DATABASE_URL_FILE are both set. DATABASE_URL_FILE has no effect: remove one of them.',
  ])
  expect(explainIneffectiveSettings({ ...both, DATABASE_URL: '' })).toEqual([])
})

test('secrets, and only they, can be in files', async () => {
  const file = join(folder, 'secret')
  await writeFile(file, 'postgres://app@db/app\n')
  const named = (name: string) => loadConfig({ ZOETROPE_DATA: folder, [`${name}_FILE`]: file })
  expect(named('DATABASE_URL').databaseUrl).toBe('postgres://app@db/app')
  expect(named('ZOETROPE_PUBLIC_URL').publicUrl).toBe('http://localhost:8080')
  const environment = { ZOETROPE_DATA: folder, DATABASE_URL_FILE: join(folder, 'none') }
  expect(() => loadConfig(environment)).toThrow(/cannot read DATABASE_URL_FILE \(ENOENT/)
  expect(loadConfig({ ...environment, DATABASE_URL: 'postgres://other' }).databaseUrl).toBe(
    'postgres://other',
  )
})

test('names zoetrope.config when it cannot be read', async () => {
  await mkdir(join(folder, 'zoetrope.config'))
  const load = () => loadConfig({ ZOETROPE_DATA: folder })
  expect(load).toThrow(ConfigError)
  expect(load).toThrow(`Cannot read ${join(folder, 'zoetrope.config')} (EISDIR`)
})

test('an empty variable does not hide the file of a secret', async () => {
  const file = join(folder, 'secret')
  await writeFile(file, 'postgres://app@db/app\n')
  const environment = { ZOETROPE_DATA: folder, DATABASE_URL: '', DATABASE_URL_FILE: file }
  expect(loadConfig(environment).databaseUrl).toBe('postgres://app@db/app')
})

test('refuses an empty file of a secret', async () => {
  const file = join(folder, 'secret')
  await writeFile(file, '\n')
  for (const name of ['DATABASE_URL', 'ZOETROPE_MASTER_KEY'])
    expect(() => loadConfig({ ZOETROPE_DATA: folder, [`${name}_FILE`]: file })).toThrow(
      `${name}_FILE names an empty file, ${file}`,
    )
})

test.each([
  [{ ZOETROPE_PORT: 'http' }, 'ZOETROPE_PORT must be a whole number from 1 to 65535, not "http"'],
  [{ ZOETROPE_DEMO: 'maybe' }, 'ZOETROPE_DEMO must be 1 or 0, not "maybe"'],
  [{ ZOETROPE_PUBLIC_URL: 'video.example.com' }, 'ZOETROPE_PUBLIC_URL must be an http or https URL'],
  [{ ZOETROPE_STORAGE: 's3' }, 'media on S3 requires S3_BUCKET'],
  [{ ZOETROPE_FORMER_STORAGE: 's3' }, 'media on S3 requires S3_BUCKET'],
  [{ ZOETROPE_FORMER_STORAGE: 'disk' }, 'must differ from ZOETROPE_STORAGE'],
  [
    { ZOETROPE_ACCEL_REDIRECT: 'media/../x' },
    'ZOETROPE_ACCEL_REDIRECT must be a path such as /internal/media',
  ],
  [
    { ZOETROPE_ACCEL_REDIRECT: '/m', ZOETROPE_STORAGE: 's3' },
    'ZOETROPE_ACCEL_REDIRECT requires ZOETROPE_STORAGE=disk',
  ],
  [{ ZOETROPE_STORAGE: 'tape' }, 'ZOETROPE_STORAGE must be one of disk, s3, not "tape"'],
  [
    { ZOETROPE_AUDIT_SYSLOG: 'http://logs.example.com' },
    'ZOETROPE_AUDIT_SYSLOG must be a receiver such as tls://logs.example.com:6514',
  ],
  [{ ZOETROPE_HSTS: 'forever' }, 'ZOETROPE_HSTS must be off, or max-age=31536000'],
  [
    { ZOETROPE_SECURITY_CONTACT: 'security@example.com' },
    'addresses that begin with mailto:, https: or tel:',
  ],
  [{ ZOETROPE_SECURITY_EXPIRES: '2027-02' }, 'ZOETROPE_SECURITY_EXPIRES must be a date such as 2027-01-31'],
  [{ DATABASE_URL: 'mysql://app@db/app' }, 'DATABASE_URL must be a URL such as postgres://'],
  [{ DATABASE_URL: 'host=db user=app' }, 'DATABASE_URL must be a URL such as postgres://'],
  [{ DATABASE_URL: 'postgres://app:pass#word@db/app' }, 'DATABASE_URL is not a valid URL. Encode special'],
  [{ ZOETROPE_MASTER_KEY: 'short' }, 'ZOETROPE_MASTER_KEY must be 32 bytes in base64'],
  [
    { OUTBOUND_ALLOW_CIDRS: '10.0.0.0' },
    'OUTBOUND_ALLOW_CIDRS must be a list of networks such as 10.0.0.0/8',
  ],
])('an invalid setting %j stops the start with an error message', (environment, message) => {
  expect(() => loadConfig({ ZOETROPE_DATA: folder, ...environment })).toThrow(ConfigError)
  expect(() => loadConfig({ ZOETROPE_DATA: folder, ...environment })).toThrow(message)
})

test('an unknown setting in the file is refused, because it is probably a typo', async () => {
  await writeFile(join(folder, 'zoetrope.config'), 'ZOETROPE_PROT=9000\n')
  expect(() => loadConfig({ ZOETROPE_DATA: folder })).toThrow('unknown setting ZOETROPE_PROT')
})

test('all invalid settings are reported at once', () => {
  expect(() => loadConfig({ ZOETROPE_DATA: folder, ZOETROPE_PORT: '0', ZOETROPE_DEMO: 'x' })).toThrow(
    /ZOETROPE_PORT.*\n.*ZOETROPE_DEMO/,
  )
})
