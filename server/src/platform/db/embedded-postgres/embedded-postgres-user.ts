import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** User that the server runs as. Where this type is optional, `undefined` means the current user. */
export interface ServerUser {
  name: string
  uid: number
  gid: number
}

const userName = 'zoetrope'

/** Nearly every Linux has useradd of shadow; smaller systems have adduser. */
const waysToAdd: readonly (readonly [string, readonly string[]])[] = [
  ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', userName]],
  ['adduser', ['--system', '--group', '--no-create-home', userName]],
  ['adduser', ['-S', '-D', '-H', userName]],
]

/** Another process may hold the lock of /etc/passwd or add the same user. */
const attempts = 10
const retryMs = 200

/**
 * PostgreSQL refuses to run as root. Returns a system user for root, created when missing, and undefined for
 * any other user. Throws when the user cannot be created.
 */
export const findServerUser = async (): Promise<ServerUser | undefined> => {
  if (process.geteuid?.() !== 0) return undefined
  let reason = ''
  for (let attempt = 0; attempt < attempts; attempt++) {
    const user = await lookUp()
    if (user) return user
    reason = await addUser()
    if (reason !== '') await delay(retryMs)
  }
  throw new Error(
    `PostgreSQL must not run as root, and the system user "${userName}" for it cannot be created (${reason}). Run "useradd --system ${userName}" yourself, start Zoetrope as an ordinary user, or set DATABASE_URL.`,
  )
}

const lookUp = async (): Promise<ServerUser | undefined> => {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', userName]), run('id', ['-g', userName])])
    return { name: userName, uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

const addUser = async (): Promise<string> => {
  let reason = ''
  for (const [command, args] of waysToAdd) {
    try {
      await run(command, args)
      return ''
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string }
      reason ||= (stderr || message).trim()
    }
  }
  return reason
}
