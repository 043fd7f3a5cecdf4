import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { ConnectionOptions } from '../driver/connection.ts'

/** The processes of an installation; each has a login of its own. */
export const processRoles = ['api', 'worker', 'live'] as const
export type ProcessRole = (typeof processRoles)[number]

export interface Login {
  readonly user: string
  readonly password: string
}

/** Roles belong to the whole server, which may hold databases of other installations. */
const userOf = (role: ProcessRole, database: string): string =>
  `zoetrope_${role}_${createHash('sha256').update(database).digest('hex').slice(0, 8)}`

/** Derived from the master key, so that every node with it knows the password, which is stored nowhere. */
export const loginOf = (role: ProcessRole, database: string, derive: (purpose: string) => Buffer): Login => {
  const user = userOf(role, database)
  return { user, password: derive(`database login ${user}`).toString('base64url') }
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Many iterations protect passwords that can be guessed; for 256 random bits, each connection would waste them. */
const iterations = 1

/** What PostgreSQL stores of a password (RFC 5803), so that the password itself is in no statement and no log. */
export const scramVerifier = (password: string): string => {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64')
  const serverKey = hmac(salted, 'Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}

/** Only text, because `new URL` refuses addresses of PostgreSQL without a host. */
const urlAs = (url: string, { user, password }: Login): string =>
  url
    .replace(/^(\w+:\/\/)(?:[^/?#]*@)?/, `$1${user}:${password}@`)
    .replaceAll(/(?<=[?&])(?:user|password)=[^&#]*&?/g, '')

/** The same database with another login. */
export const connectionAs = (connection: ConnectionOptions, login: Login): ConnectionOptions =>
  'url' in connection ? { url: urlAs(connection.url, login) } : { ...connection, ...login }
