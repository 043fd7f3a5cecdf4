import { deviceMaxSeconds } from './known-device.ts'

/** 32 random bytes in base64url. */
const token = '[A-Za-z0-9_-]{43}'

/** The cookies of one installation: browsers keep those that begin with `__Host-` from everything but https and this very host. */
export interface SessionCookies {
  /** The session token that a Cookie header holds; null where it holds none that looks like one of ours. */
  readonly sessionOf: (header: string | undefined) => string | null
  /** The same for what `keepDevice` set. */
  readonly deviceOf: (header: string | undefined) => string | null
  readonly keepSession: (token: string, seconds: number) => string
  readonly dropSession: () => string
  readonly keepDevice: (device: string) => string
  /** Of a browser in which somebody has begun to sign in by an identity provider. */
  readonly ssoOf: (header: string | undefined) => string | null
  readonly keepSso: (token: string, seconds: number) => string
  readonly dropSso: () => string
}

/** On http, as on the loopback of a first try, browsers would not keep a cookie that is marked Secure. */
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
  // Lax, as the others: the browser comes back from another site.
  const sso = `${prefix}zoetrope-sso`
  return {
    sessionOf: reader(session, token),
    deviceOf: reader(device, `${token}\\.[0-9]{1,12}\\.${token}`),
    keepSession: (value, seconds) => `${session}=${value}; Max-Age=${Math.floor(seconds)}; ${attributes}`,
    dropSession: () => `${session}=; Max-Age=0; ${attributes}`,
    keepDevice: (value) => `${device}=${value}; Max-Age=${deviceMaxSeconds}; ${attributes}`,
    ssoOf: reader(sso, token),
    keepSso: (value, seconds) => `${sso}=${value}; Max-Age=${seconds}; ${attributes}`,
    dropSso: () => `${sso}=; Max-Age=0; ${attributes}`,
  }
}
