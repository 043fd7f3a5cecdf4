import { randomInt } from 'node:crypto'
import type { Tx } from '../../../platform/db/database.ts'
import { hashToken } from '../../../platform/base/ids.ts'
import { deleteRecoveryCodes, type UserKey } from '../store/factor-store.ts'

const codeCount = 10
/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

const newCode = (): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-')

/** Returns ten new codes, which replace the old ones. The database stores only their hashes. */
export const replaceRecoveryCodes = async (tx: Tx, user: UserKey): Promise<string[]> => {
  const codes = Array.from({ length: codeCount }, newCode)
  await deleteRecoveryCodes(tx, user)
  await tx
    .insertInto('recovery_codes')
    .values(
      codes.map((code) => ({
        account_id: user.account_id,
        user_id: user.id,
        code_hash: hashToken(code.replaceAll('-', '')),
      })),
    )
    .execute()
  return codes
}

/** Uses the code up; the caller has removed spaces and hyphens. */
export const useRecoveryCode = async (tx: Tx, user: UserKey, code: string): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: new Date() })
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .where('code_hash', '=', hashToken(code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
