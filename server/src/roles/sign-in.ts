import { createPasswords } from '../identity/sessions/passwords.ts'
import { createKnownDevices } from '../identity/sessions/known-device.ts'
import { createSessionCookies } from '../identity/sessions/session-cookie.ts'
import { createSessionVerifier } from '../identity/sessions/session-verifier.ts'
import type { TokenVerifier } from '../identity/verify-token.ts'
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
    forgetUser: (userId: number): void => {
      verifier.forgetUser(userId)
      sessions.forgetUser(userId)
    },
  }
}
