import { deviceMaxSeconds } from './known-device.ts'
import { pendingSeconds } from './pending-sign-ins.ts'

/** 32 random bytes in base64url. */
const token = '[A-Za-z0-9_-]{43}'

/**
 * The cookies of one installation. Browsers send those with the prefix `__Host-` only over https and only to
 * this host.
 */
export interface SessionCookies {
  readonly sessionOf: (header: string | undefined) => string | null
  readonly deviceOf: (header: string | undefined) => string | null
  readonly keepSession: (token: string, seconds: number) => string
  readonly dropSession: () => string
  readonly keepDevice: (device: string) => string
  readonly ssoOf: (header: string | undefined) => string | null
  readonly keepSso: (token: string, seconds: number) => string
  readonly dropSso: () => string
  readonly pendingOf: (header: string | undefined) => string | null
  readonly keepPending: (proof: string) => string
  readonly dropPending: () => string
}

/** On http, such as localhost on a first try, browsers reject cookies marked Secure. */
export const createSessionCookies = (publicUrl: string): SessionCookies => {
  const isSecure = publicUrl.startsWith('https:')
  const prefix = isSecure ? '__Host-' : ''
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const reader = (name: string, value: string) => {
    const pattern = new RegExp(`(?:^|;) *${name}=(${value}) *(?:;|$)`)
    return (header: string | undefined): string | null =>
      header === undefined ? null : (pattern.exec(header)?.[1] ?? null)
  }
  const session = `${prefix}zoetrope-session`
  const device = `${prefix}zoetrope-device`
  // Lax, like the others: the browser returns from another site.
  const sso = `${prefix}zoetrope-sso`
  const pending = `${prefix}zoetrope-pending`
  return {
    sessionOf: reader(session, token),
    deviceOf: reader(device, `${token}\\.[0-9]{1,12}\\.${token}`),
    keepSession: (value, seconds) => `${session}=${value}; Max-Age=${Math.floor(seconds)}; ${attributes}`,
    dropSession: () => `${session}=; Max-Age=0; ${attributes}`,
    keepDevice: (value) => `${device}=${value}; Max-Age=${deviceMaxSeconds}; ${attributes}`,
    ssoOf: reader(sso, token),
    keepSso: (value, seconds) => `${sso}=${value}; Max-Age=${seconds}; ${attributes}`,
    dropSso: () => `${sso}=; Max-Age=0; ${attributes}`,
    pendingOf: reader(pending, `[0-9]{1,16}\\.[0-9]{1,16}\\.[0-9]{1,12}\\.${token}`),
    keepPending: (value) => `${pending}=${value}; Max-Age=${pendingSeconds}; ${attributes}`,
    dropPending: () => `${pending}=; Max-Age=0; ${attributes}`,
  }
}
