import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigError, type Setting } from './settings/setting.ts'
import { accountSettings } from './settings/accounts.ts'
import { analyticsSettings } from './settings/analytics.ts'
import { databaseSettings } from './settings/database.ts'
import { connectionLimits, requestLimits, httpSettings, outboundSettings } from './settings/http.ts'
import { installationSettings, processSettings } from './settings/installation.ts'
import { librarySettings } from './settings/library.ts'
import { liveSettings } from './settings/live.ts'
import { decodingSettings, encoderSettings } from './settings/media.ts'
import { monitoringSettings } from './settings/monitoring.ts'
import { storageSettings, deliverySettings } from './settings/storage.ts'

/** All settings, in the order of docs/settings.md, which `npm run settings` writes from this table. */
export const settings = {
  ...installationSettings,
  ...databaseSettings,
  ...storageSettings,
  ...liveSettings,
  ...connectionLimits,
  ...decodingSettings,
  ...analyticsSettings,
  ...deliverySettings,
  ...librarySettings,
  ...requestLimits,
  ...httpSettings,
  ...accountSettings,
  ...monitoringSettings,
  ...encoderSettings,
  ...outboundSettings,
  ...processSettings,
} as const

type Values = { readonly [Key in keyof typeof settings]: ReturnType<(typeof settings)[Key]['parse']> }

export interface Config extends Omit<Values, 'publicUrl' | 'dataFolder' | 'uploadStagingSetting'> {
  /** Null = no e-mails. */
  readonly smtp: { readonly url: string; readonly from: string } | null
  /** Absolute. */
  readonly dataFolder: string
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly isPublicUrlSet: boolean
  readonly uploadStaging: 'disk' | 's3'
}

/**
 * Reads the environment, then `zoetrope.config` (KEY=value lines) in the data folder, then the defaults. Throws ConfigError with one
 * sentence per wrong setting.
 */
export const loadConfig = (environment: NodeJS.ProcessEnv = process.env): Config => {
  const dataFolder = resolveDataFolder(environment[settings.dataFolder.name])
  const file = join(dataFolder, 'zoetrope.config')
  const fromFile = readSettings(file)
  const wrong: string[] = []
  const known = new Set<string>(Object.values(settings).map(({ name }) => name))
  for (const name of Object.keys(fromFile))
    if (!known.has(name))
      wrong.push(`${file} contains the unknown setting ${name}. docs/settings.md lists all settings`)
  const entries = Object.entries(settings).map(([key, one]) => {
    try {
      const raw = readSecret(environment, one) ?? environment[one.name] ?? fromFile[one.name] ?? ''
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
    isPublicUrlSet: values.publicUrl !== null,
  })
}

const readSettings = (file: string): NodeJS.Dict<string> => {
  try {
    return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  } catch (error) {
    throw new ConfigError(`Cannot read ${file} (${(error as Error).message}).`)
  }
}

/** Containers get secrets as files: `DATABASE_URL_FILE=/run/secrets/database-url`. */
const readSecret = (environment: NodeJS.ProcessEnv, { name, isSecret }: Setting<unknown>): string | null => {
  const file = environment[`${name}_FILE`] ?? ''
  // Compose files pass on variables that are not set as empty ones.
  if (!(isSecret ?? false) || file === '' || (environment[name] ?? '') !== '') return null
  let secret: string
  try {
    secret = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(`cannot read ${name}_FILE (${(error as Error).message})`)
  }
  // The default would start a new database, or create another master key.
  if (secret === '') throw new ConfigError(`${name}_FILE names an empty file, ${file}`)
  return secret
}

/** Processes that this one starts must not inherit secrets. */
export const forgetSecrets = (): void => {
  for (const { name, isSecret } of Object.values(settings)) if (isSecret ?? false) delete process.env[name]
}

const resolveDataFolder = (value: string | undefined): string => {
  const folder = value === undefined || value === '' ? settings.dataFolder.fallback : value
  return isAbsolute(folder) ? folder : resolve(process.cwd(), folder)
}
