import type { Tx } from '../../../platform/db/database.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import type { UserKey } from '../store/factor-store.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'

const totpCode = /^[0-9]{6}$/

/** People copy codes with the spaces and hyphens in which they are shown. */
const bare = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase()

/** Accepts a code of the app once: an onlooker cannot use it again (RFC 6238, section 5.2). */
export const useTotpCode = async (
  tx: Tx,
  secrets: Secrets,
  user: UserKey,
  code: string,
  { isConfirmed }: { readonly isConfirmed: boolean },
): Promise<boolean> => {
  const now = new Date()
  const row = await tx
    .selectFrom('totp_secrets')
    .select('sealed_secret')
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .where('confirmed_at', isConfirmed ? 'is not' : 'is', null)
    .executeTakeFirst()
  const step =
    row === undefined ? null : stepOfCode(secrets.open(row.sealed_secret), bare(code), now.getTime())
  if (row === undefined || step === null) return false
  const { numUpdatedRows } = await tx
    .updateTable('totp_secrets')
    .set({ last_step: step, last_used_at: now })
    .$if(!isConfirmed, (query) => query.set({ confirmed_at: now }))
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .where('sealed_secret', '=', row.sealed_secret)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type UsedCode = 'AuthenticatorApp' | 'RecoveryCode'

/** Uses up a code of the app or a recovery code. Null for a wrong or used one. */
export const useCode = async (
  tx: Tx,
  secrets: Secrets,
  user: UserKey,
  code: string,
): Promise<UsedCode | null> => {
  const text = bare(code)
  if (totpCode.test(text))
    return (await useTotpCode(tx, secrets, user, text, { isConfirmed: true })) ? 'AuthenticatorApp' : null
  return (await useRecoveryCode(tx, user, text)) ? 'RecoveryCode' : null
}
