import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Who the server runs as. `undefined` wherever this type is optional means: as ourselves. */
export interface ServerUser {
  name: string
  uid: number
  gid: number
}

const userName = 'zoetrope'

/** useradd of shadow is on nearly every Linux; adduser is the one of smaller systems. */
const waysToAdd: readonly (readonly [string, readonly string[]])[] = [
  ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', userName]],
  ['adduser', ['--system', '--group', '--no-create-home', userName]],
  ['adduser', ['-S', '-D', '-H', userName]],
]

/** Another process may hold the lock of /etc/passwd or be adding the very same user. */
const attempts = 10
const retryMs = 200

/**
 * PostgreSQL refuses to run as root. For root this gives a system user of ours, made when missing; for anybody else
 * undefined. Throws when the user is missing and can't be made.
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
    `PostgreSQL must not run as root, and the system user "${userName}" for it can't be made (${reason}). ` +
      `Run "useradd --system ${userName}" yourself, start Zoetrope as an ordinary user, or set DATABASE_URL.`,
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

/** Answers '' on success, else why the last way failed. */
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
