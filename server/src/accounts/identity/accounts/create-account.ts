import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { recordAct, systemOf } from '../../audit/record-act.ts'
import type { Database } from '../../../platform/db/database.ts'
import { asEmailConflict } from '../users/user-rules.ts'
import { insertAccount, type AccountKeys } from './account-store.ts'

export interface CreatedAccount {
  readonly accountId: number
  readonly password: string
  readonly apiKey: string
}

/**
 * Creates another tenant of this installation. Neither the password nor the key is stored in plain text.
 * Throws 'conflict' for an address in use.
 */
export const createAccount = async (
  database: Database,
  keys: AccountKeys,
  { name, email }: { readonly name: string; readonly email: string },
): Promise<CreatedAccount> => {
  const password = randomBytes(15).toString('base64url')
  const passwordHash = await hash(password)
  try {
    return await database.transaction(async (tx) => {
      const { accountId, newKey } = await insertAccount(tx, keys, { name, email, passwordHash })
      const { token } = await newKey('First key')
      await recordAct(tx, systemOf(accountId), {
        action: 'account.created',
        subject: 'Account',
        subjectId: accountId,
        after: { Name: name },
      })
      return { accountId, password, apiKey: token }
    })
  } catch (error) {
    throw asEmailConflict(error)
  }
}
