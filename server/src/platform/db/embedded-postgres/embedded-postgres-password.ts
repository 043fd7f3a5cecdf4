import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chown, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readSecretFile, writeSecretFile } from '../../base/secret-file.ts'
import {
  dataArgument,
  databaseUser,
  runAs,
  socketOfRunningServer,
  type PostgresFolder,
} from './embedded-postgres-folder.ts'
import type { ServerUser } from './embedded-postgres-user.ts'

const run = promisify(execFile)

/** Beside the folder, which belongs to the server's user when Zoetrope runs as root. */
const passwordFileOf = (root: string): string => `${root}.password`

const readPassword = (root: string): Promise<string | null> => readSecretFile(passwordFileOf(root))

export interface EmbeddedConnection {
  readonly host: string
  readonly user: string
  readonly password: string
  readonly database: string
}

export const connectionTo = (host: string, password: string): EmbeddedConnection => ({
  host,
  user: databaseUser,
  password,
  database: 'postgres',
})

/** Returns the address of a running server of another local process on this folder, or null. */
export const runningServerOn = async (folder: string): Promise<EmbeddedConnection | null> => {
  const root = await realpath(folder).catch(() => null)
  const host = root === null ? null : await socketOfRunningServer(root)
  // A server of the first release has no password, and accepts any.
  return root === null || host === null ? null : connectionTo(host, (await readPassword(root)) ?? '')
}

/**
 * `peer` would refuse Zoetrope where it runs as root and the server as another user. The digest reveals
 * nothing of 256 random bits. It makes a password file of another database, or a lost one, noticeable.
 */
const accessRules = (password: string): string =>
  [
    '# Zoetrope writes this file and replaces changes at its next start.',
    `# Digest of the password: ${createHash('sha256').update(password).digest('hex')}`,
    'local all all scram-sha-256',
    'host all all all reject',
    '',
  ].join('\n')

/** Many iterations protect passwords that can be guessed; for a random one, each connection would waste them. */
const setPassword = (password: string): string =>
  `set scram_iterations = 1; alter role ${databaseUser} password '${password}';\n`

/** Runs statements without the access rules, while the server is stopped. */
const runAlone = async (
  postgres: string,
  { data }: PostgresFolder,
  user: ServerUser | undefined,
  statements: string,
): Promise<void> => {
  const running = run(
    postgres,
    ['--single', '-D', dataArgument(data, user), '-c', 'exit_on_error=on', 'postgres'],
    { ...runAs(user), cwd: data },
  )
  // A process that fails to start closes the pipe; its exit code is the better report.
  running.child.stdin?.on('error', () => undefined)
  running.child.stdin?.end(statements)
  try {
    await running
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    // The message of a failed command contains none of its input.
    throw new Error(`PostgreSQL could not set its password: ${(stderr || message).trim()}`, { cause: error })
  }
}

/**
 * Returns the password of the stopped server. Sets a new one for a new database, for one of the first
 * release, and when the file with the password is lost.
 */
export const requirePassword = async (
  postgres: string,
  folder: PostgresFolder,
  user: ServerUser | undefined,
): Promise<string> => {
  const rulesFile = join(folder.data, 'pg_hba.conf')
  const known = await readPassword(folder.root)
  const password = known ?? randomBytes(32).toString('base64url')
  const rules = accessRules(password)
  const claimRules = async (): Promise<void> => {
    if (user) await chown(rulesFile, user.uid, user.gid)
  }
  if (known !== null && (await readFile(rulesFile, 'utf8')) === rules) {
    // An interrupted change leaves the file to root.
    await claimRules()
    return password
  }
  await runAlone(postgres, folder, user, setPassword(password))
  if (known === null) await writeSecretFile(passwordFileOf(folder.root), `${password}\n`)
  // Last, so that an interrupted change is repeated.
  await writeSecretFile(rulesFile, rules)
  await claimRules()
  return password
}
