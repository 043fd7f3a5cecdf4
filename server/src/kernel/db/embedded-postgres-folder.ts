import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, lchown, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ServerUser } from './embedded-postgres-user.ts'

const run = promisify(execFile)

/** sun_path of sockaddr_un holds 108 bytes on Linux and 104 on macOS, with the closing NUL. */
const maxSocketPathBytes = 103

/** The superuser and, in a database of one program, the only user. */
export const databaseUser = 'zoetrope'

export interface PostgresFolder {
  /** The folder given, absolute and without links. */
  root: string
  /** What PostgreSQL calls its data directory. */
  data: string
  /** Absolute; holds the socket, and nobody but root and the server's user can enter it. */
  socket: string
  log: string
}

/** Makes the folder when it is missing and answers its real path; throws when it is not ours to use. */
export const makeRootFolder = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const root = await realpath(folder)
  const { uid } = await stat(root)
  const ourUid = process.geteuid?.()
  if (ourUid !== 0 && uid !== ourUid) {
    throw new Error(
      `The database in ${root} belongs to the user with id ${uid}, and we are ${ourUid}. ` +
        `Start Zoetrope as that user or as root, or make it yours: sudo chown -R "$(id -u)" '${root}'`,
    )
  }
  return root
}

/** Beside the data, unless its path is too long for a socket. `root` is absolute and without links. */
const socketFolderOf = (root: string): string => {
  const inRoot = join(root, 'socket')
  const isTooLong = Buffer.byteLength(join(inRoot, '.s.PGSQL.5432')) > maxSocketPathBytes
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16)
  return isTooLong ? join(tmpdir(), `zoetrope-${hash}`) : inRoot
}

/** How to reach the server of another process of this machine, should one run on this folder; null where there is none. */
export const runningServerOn = async (
  folder: string,
): Promise<{ host: string; user: string; database: string } | null> => {
  const root = await realpath(folder).catch(() => null)
  if (root === null) return null
  const host = socketFolderOf(root)
  const isThere = await lstat(join(host, '.s.PGSQL.5432')).catch(() => null)
  return isThere === null ? null : { host, user: databaseUser, database: 'postgres' }
}

/** Makes the folders in the root folder, owned by the server's user and closed to all others but root. */
export const makeFolders = async (root: string, user: ServerUser | undefined): Promise<PostgresFolder> => {
  // Another owner: made by root just now, by an ordinary user, or in a container that numbered its users differently.
  if (user && (await stat(root)).uid !== user.uid) await run('chown', ['-R', `${user.uid}:${user.gid}`, root])
  await chmod(root, 0o700)
  const log = join(root, 'log')
  await makePrivateFolder(log, user)
  const socket = socketFolderOf(root)
  await makePrivateFolder(socket, user)
  return { root, data: join(root, 'data'), socket, log }
}

/** Anybody can write to the temporary folder: one that was laid there for us by somebody else is refused. */
const makePrivateFolder = async (path: string, user: ServerUser | undefined): Promise<void> => {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(path)
  const ourUid = process.geteuid?.()
  if (!found.isDirectory() || (found.uid !== ourUid && found.uid !== user?.uid)) {
    throw new Error(`${path} is needed for PostgreSQL but belongs to somebody else: remove it.`)
  }
  if (user) await lchown(path, user.uid, user.gid)
  await chmod(path, 0o700)
}

/**
 * Creates the database files when there are none yet; true when it did. They are made beside and renamed, so that
 * an initdb that was interrupted leaves nothing that looks like a database.
 */
export const createDatabaseOnce = async (
  initdb: string,
  folder: PostgresFolder,
  user: ServerUser | undefined,
): Promise<boolean> => {
  await removeUnfinished(folder.root)
  if (await lstat(join(folder.data, 'PG_VERSION')).catch(() => undefined)) return false
  const unfinished = join(folder.root, `${unfinishedPrefix}${process.pid}`)
  await makePrivateFolder(unfinished, user)
  try {
    await run(initdb, ['-D', dataArgument(unfinished, user), ...initdbArgs], {
      ...runAs(user),
      cwd: unfinished,
    })
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(
      `PostgreSQL could not create its files in ${folder.root}: ${(stderr || message).trim()}`,
      { cause: error },
    )
  }
  await rename(unfinished, folder.data)
  await syncFolder(folder.root)
  return true
}

const unfinishedPrefix = 'data.new-'

/** `trust`, because the socket's folder is the lock on the door; TCP is off, and refused should it ever be on. */
const initdbArgs = [
  `--username=${databaseUser}`,
  '--encoding=UTF8',
  '--locale=C',
  '--data-checksums',
  '--auth-local=trust',
  '--auth-host=reject',
  '--no-instructions',
]

/** An initdb whose Node was killed may still be writing while we remove, hence the retries. */
const removeUnfinished = async (root: string): Promise<void> => {
  const names = await readdir(root)
  await Promise.all(
    names
      .filter((name) => name.startsWith(unfinishedPrefix))
      .map((name) => rm(join(root, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })),
  )
}

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * How to name the data folder to a PostgreSQL that is started inside of it. With a user of its own it may not pass the
 * folders above (a checkout in /root); it needs not: root enters the folder before the user changes, and PostgreSQL
 * names its files relative to the folder once it is inside.
 */
export const dataArgument = (data: string, user: ServerUser | undefined): string =>
  user && process.platform === 'linux' ? '/proc/self/cwd' : data

/** Options of node:child_process for a process of PostgreSQL; nothing of our environment (secrets) is handed on. */
export const runAs = (user: ServerUser | undefined) => ({
  env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
  ...(user && { uid: user.uid, gid: user.gid }),
})
