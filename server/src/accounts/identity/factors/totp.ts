import { Secret, TOTP } from 'otpauth'

// What every authenticator app supports (RFC 6238).
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Steps before and after the present one whose codes are accepted: clocks differ, and typing takes time. */
const tolerance = 1

export const newTotpSecret = (): Buffer => Buffer.from(new Secret({ size: 20 }).bytes)

const secretOf = (bytes: Buffer): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer })

export const base32Of = (bytes: Buffer): string => secretOf(bytes).base32

/** Returns the content of the QR code. */
export const totpUri = (bytes: Buffer, issuer: string, email: string): string =>
  new TOTP({ ...parameters, secret: secretOf(bytes), issuer, label: email }).toString()

/** Returns the time step of the code; null for a wrong one. */
export const stepOfCode = (bytes: Buffer, code: string, nowMs: number): number | null => {
  const secret = secretOf(bytes)
  const delta = TOTP.validate({ ...parameters, secret, token: code, timestamp: nowMs, window: tolerance })
  return delta === null ? null : TOTP.counter({ period: parameters.period, timestamp: nowMs }) + delta
}
