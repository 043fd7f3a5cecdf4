import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

/** Names a viewer by 64 bits that say nothing about the address once the salt of the day is deleted. */
export type HashViewer = (address: string, userAgent: string) => Promise<string>

const saltBytes = 16
const hashDigits = 16

/** Creates or reads the salt of a day, which all api processes share. */
const saltOf = async ({ kysely }: Database, day: string): Promise<string> => {
  await sql`insert into viewer_salts (day, salt) values (${day}::date, ${randomBytes(saltBytes)})
    on conflict (day) do nothing`.execute(kysely)
  const { rows } = await sql<{ salt: string }>`
    select encode(salt, 'hex') as salt from viewer_salts where day = ${day}::date`.execute(kysely)
  const [row] = rows
  if (row === undefined) throw new Error('the salt of the day is missing')
  return row.salt
}

export const createViewerHash = (database: Database, now: () => number = Date.now): HashViewer => {
  let day = ''
  let salt: Promise<string> = Promise.resolve('')
  return async (address, userAgent) => {
    const today = new Date(now()).toISOString().slice(0, 10)
    if (today !== day) {
      day = today
      salt = saltOf(database, today)
      salt.catch(() => (day = ''))
    }
    return hash('sha256', `${await salt} ${address} ${userAgent}`, 'hex').slice(0, hashDigits)
  }
}
