import { createPasswords } from '../../accounts/identity/sessions/passwords.ts'
import { createKnownDevices } from '../../accounts/identity/authentication/known-device.ts'
import { createSessionCookies } from '../../accounts/identity/authentication/session-cookie.ts'
import { createSessionVerifier } from '../../accounts/identity/authentication/session-verifier.ts'
import type { TokenVerifier } from '../../accounts/identity/authentication/verify-token.ts'
import type { Services } from './services.ts'

export const buildSignIn = ({ config, database, secrets }: Services, verifier: TokenVerifier) => {
  const { publicUrl, signInsPerMinute } = config
  const limits = { idleMs: config.sessionIdleHours * 3_600_000, maxMs: config.sessionMaxDays * 86_400_000 }
  const sessions = createSessionVerifier(database, limits)
  return {
    database,
    publicUrl,
    signInsPerMinute,
    limits,
    sessions,
    cookies: createSessionCookies(publicUrl),
    devices: createKnownDevices(secrets.derive('sign-in device')),
    passwords: createPasswords(),
    evictUser: (userId: number): void => {
      verifier.evictUser(userId)
      sessions.evictUser(userId)
    },
  }
}
