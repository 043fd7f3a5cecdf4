import ipaddr from 'ipaddr.js'
import { parseSyslogTarget, type SyslogTarget } from '../../../accounts/audit/syslog/syslog-target.ts'
import {
  parseMasterKeys,
  readKeys,
  type DerivedKeys,
  type MasterKeys,
} from '../../../platform/base/secrets.ts'
import type { EmbeddedConnection } from '../../../platform/db/embedded-postgres/embedded-postgres-password.ts'

/** An invalid setting. The message names it and the accepted values. */
export class ConfigError extends Error {}

export interface Setting<T> {
  readonly name: string
  readonly fallback: string
  readonly description: string
  readonly isSecret?: boolean
  readonly parse: (text: string, name: string) => T
}

export const text = (value: string): string => value
export const optional = (value: string): string | null => (value === '' ? null : value)

export const flag = (value: string, name: string): boolean => {
  if (value === '1' || value === 'true') return true
  if (value === '0' || value === 'false') return false
  throw new ConfigError(`${name} must be 1 or 0, not "${value}"`)
}

export const integer =
  (min: number, max: number) =>
  (value: string, name: string): number => {
    const number = Number(value)
    if (!Number.isInteger(number) || number < min || number > max)
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}"`)
    return number
  }

export const decimal =
  (min: number, max: number) =>
  (value: string, name: string): number => {
    const number = Number(value)
    if (value === '' || !Number.isFinite(number) || number < min || number > max)
      throw new ConfigError(`${name} must be a number from ${min} to ${max}, not "${value}"`)
    return number
  }

export const oneOf =
  <const T extends readonly string[]>(choices: T) =>
  (value: string, name: string): T[number] => {
    if (!choices.includes(value))
      throw new ConfigError(`${name} must be one of ${choices.join(', ')}, not "${value}"`)
    return value
  }

export const httpUrl = (value: string, name: string): string | null => {
  if (value === '') return null
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new ConfigError(
      `${name} must be an http or https URL such as https://video.example.com, not "${value}"`,
    )
  return value.replace(/\/+$/, '')
}

export const embeddedConnection = (value: string): EmbeddedConnection | null =>
  value === '' ? null : (JSON.parse(value) as EmbeddedConnection)

export const smtpUrl = (value: string, name: string): string | null => {
  if (value === '') return null
  // The value contains a password, so the message does not repeat it.
  if (!URL.canParse(value) || !/^smtps?:$/.test(new URL(value).protocol) || new URL(value).hostname === '')
    throw new ConfigError(`${name} must be an SMTP URL such as smtps://user:password@mail.example.com`)
  return value
}

export const clickHouseUrl = (value: string, name: string): string | null => {
  if (value === '') return null
  // The value contains a password, so the message does not repeat it.
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new ConfigError(`${name} must be an HTTP URL such as https://user:password@host:8443/zoetrope`)
  return value
}

export const cidrs = (value: string, name: string): string[] => {
  const items = value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  for (const item of items)
    if (!ipaddr.isValidCIDR(item))
      throw new ConfigError(`${name} must be a list of networks such as 10.0.0.0/8, not "${item}"`)
  return items
}

export const locationPath = (value: string, name: string): string | null => {
  if (value === '') return null
  if (!/^(?:\/[A-Za-z0-9._-]+)+$/.test(value))
    throw new ConfigError(`${name} must be a path such as /internal/media, not "${value}"`)
  return value
}

export const strictTransport = (value: string, name: string): string | null => {
  if (value === 'off') return null
  if (!/^max-age=\d{1,10}(?:; ?includeSubDomains)?(?:; ?preload)?$/.test(value))
    throw new ConfigError(
      `${name} must be off, or max-age=31536000, optionally with "; includeSubDomains" and "; preload", not "${value}"`,
    )
  return value
}

export const contactUris = (value: string, name: string): string[] => {
  const items = value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  // RFC 9116, section 2.5.3: web addresses must be https.
  for (const item of items)
    if (!URL.canParse(item) || !/^(?:https|mailto|tel):[\x21-\x7e]+$/.test(item))
      throw new ConfigError(
        `${name} must be a list of addresses that begin with mailto:, https: or tel:, not "${item}"`,
      )
  return items
}

export const date = (value: string, name: string): Date | null => {
  if (value === '') return null
  const parsed = new Date(`${value}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || Number.isNaN(parsed.getTime()))
    throw new ConfigError(`${name} must be a date such as 2027-01-31, not "${value}"`)
  return parsed
}

export const syslogTarget = (value: string, name: string): SyslogTarget | null => {
  if (value === '') return null
  const target = parseSyslogTarget(value)
  if (target === null)
    throw new ConfigError(
      `${name} must be a receiver such as tls://logs.example.com:6514, tcp://… or udp://…, not "${value}"`,
    )
  return target
}

export const masterKeys = (value: string, name: string): MasterKeys | null => {
  if (value === '') return null
  const keys = parseMasterKeys(value)
  if (keys === null) throw new ConfigError(`${name} must be 32 bytes in base64`)
  return keys
}

export const derivedKeys = (value: string, name: string): DerivedKeys | null => {
  if (value === '') return null
  try {
    return readKeys(value)
  } catch {
    throw new ConfigError(`${name} must be the output of ./zoetrope process-keys`)
  }
}

export const setting = <T>(
  name: string,
  fallback: string,
  parse: (value: string, name: string) => T,
  description: string,
  isSecret = false,
): Setting<T> => ({ name, fallback, description, parse, isSecret })
