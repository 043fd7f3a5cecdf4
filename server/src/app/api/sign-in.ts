import type { GuardedAgent } from '../../platform/outbound/guarded-agent.ts'
import { createBreachedPasswords } from '../../accounts/identity/sessions/breached-passwords.ts'
import { createGuessEstimator } from '../../accounts/identity/sessions/guess-estimator.ts'
import { createMailNewSignIn } from '../../accounts/identity/sessions/mail-new-sign-in.ts'
import { createPasswordRules } from '../../accounts/identity/sessions/password-rules.ts'
import { createPasswords } from '../../accounts/identity/sessions/passwords.ts'
import { createKnownDevices } from '../../accounts/identity/authentication/known-device.ts'
import { createPendingSignIns } from '../../accounts/identity/authentication/pending-sign-ins.ts'
import { createSessionCookies } from '../../accounts/identity/authentication/session-cookie.ts'
import { createChallenges } from '../../accounts/identity/factors/passkeys/challenges.ts'
import { createSessionVerifier } from '../../accounts/identity/authentication/session-verifier.ts'
import type { TokenVerifier } from '../../accounts/identity/authentication/verify-token.ts'
import type { Services } from '../roles/services.ts'

export const buildSignIn = (
  { config, database, secrets, mails, log }: Services,
  { verifier, agent }: { readonly verifier: TokenVerifier; readonly agent: GuardedAgent },
) => {
  const { publicUrl, signInsPerMinute, breachedPasswordsUrl } = config
  const limits = { idleMs: config.sessionIdleHours * 3_600_000, maxMs: config.sessionMaxDays * 86_400_000 }
  const sessions = createSessionVerifier(database, limits)
  const cookies = createSessionCookies(publicUrl)
  const devices = createKnownDevices(secrets.derive('sign-in device'))
  return {
    database,
    publicUrl,
    mails,
    mailNewSignIn: createMailNewSignIn({ mails, cookies, devices, publicUrl }),
    signInsPerMinute,
    limits,
    sessions,
    cookies,
    devices,
    passwords: createPasswords(),
    checkNewPassword: createPasswordRules(
      createGuessEstimator(),
      breachedPasswordsUrl === null ? null : createBreachedPasswords(breachedPasswordsUrl, { agent, log }),
    ),
    secrets,
    pendings: createPendingSignIns(secrets.derive('second factor')),
    challenges: createChallenges(secrets.derive('passkey challenge')),
    evictUser: (userId: number): void => {
      verifier.evictUser(userId)
      sessions.evictUser(userId)
    },
  }
}
