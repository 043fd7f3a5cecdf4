import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, lchown, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ServerUser } from './embedded-postgres-user.ts'

const run = promisify(execFile)

/** sun_path of sockaddr_un holds 108 bytes on Linux and 104 on macOS, including the final NUL. */
const maxSocketPathBytes = 103

/** The superuser, and the owner of all tables. */
export const databaseUser = 'zoetrope'

export interface PostgresFolder {
  root: string
  data: string
  /** Absolute path of the socket folder; only root and the server's user can enter it. */
  socket: string
  log: string
}

/**
 * Creates the folder if missing and returns its real path. Throws when the folder belongs to another user.
 */
export const makeRootFolder = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const root = await realpath(folder)
  const { uid } = await stat(root)
  const ourUid = process.geteuid?.()
  if (ourUid !== 0 && uid !== ourUid) {
    throw new Error(
      `The database in ${root} belongs to user id ${uid}, but Zoetrope runs as ${ourUid}. Start Zoetrope as that user or as root, or change the owner: sudo chown -R "$(id -u)" '${root}'`,
    )
  }
  return root
}

/**
 * Returns a folder beside the data, or a temporary one when that path is too long for a socket. `root` is
 * absolute and without links.
 */
const socketFolderOf = (root: string): string => {
  const inRoot = join(root, 'socket')
  const isTooLong = Buffer.byteLength(join(inRoot, '.s.PGSQL.5432')) > maxSocketPathBytes
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16)
  return isTooLong ? join(tmpdir(), `zoetrope-${hash}`) : inRoot
}

/** A killed server leaves its socket behind, which refuses connections. */
const acceptsConnections = async (socketPath: string): Promise<boolean> => {
  const socket = connect(socketPath)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Returns the socket folder of a running server of another local process on this folder, or null. */
export const socketOfRunningServer = async (root: string): Promise<string | null> => {
  const socket = socketFolderOf(root)
  return (await acceptsConnections(join(socket, '.s.PGSQL.5432'))) ? socket : null
}

/** Creates the subfolders, owned by the server's user and closed to all others but root. */
export const makeFolders = async (root: string, user: ServerUser | undefined): Promise<PostgresFolder> => {
  const data = join(root, 'data')
  const made = await stat(data).catch(() => null)
  // The owner differs after root created the folder or copied it, after a run as an ordinary user, or in a container
  // with other user ids.
  if (user && [await stat(root), made].some((one) => one !== null && one.uid !== user.uid))
    await run('chown', ['-R', `${user.uid}:${user.gid}`, root])
  await chmod(root, 0o700)
  // PostgreSQL refuses a folder that other users can read, for example after `cp -r`.
  if (made !== null) await chmod(data, 0o700)
  const log = join(root, 'log')
  await makePrivateFolder(log, user)
  const socket = socketFolderOf(root)
  await makePrivateFolder(socket, user)
  return { root, data, socket, log }
}

/** Every user can write to the temporary folder: a folder that another user planted there is refused. */
const makePrivateFolder = async (path: string, user: ServerUser | undefined): Promise<void> => {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(path)
  const ourUid = process.geteuid?.()
  if (!found.isDirectory() || (found.uid !== ourUid && found.uid !== user?.uid)) {
    throw new Error(`PostgreSQL requires ${path}, which belongs to another user. Remove it.`)
  }
  if (user) await lchown(path, user.uid, user.gid)
  await chmod(path, 0o700)
}

/**
 * Creates the database files when missing and returns whether it did. initdb writes to a temporary folder
 * that is renamed, so an interrupted run leaves nothing that looks like a database.
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

/** The access rules are written afterwards, with the password. */
const initdbArgs = [
  `--username=${databaseUser}`,
  '--encoding=UTF8',
  '--locale=C',
  '--data-checksums',
  '--auth-local=reject',
  '--auth-host=reject',
  '--no-instructions',
]

/** An initdb whose Node process was killed may still write during the removal, hence the retries. */
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
 * Returns the data folder argument for a PostgreSQL started inside of that folder. A separate user may not
 * traverse the parent folders (a checkout in /root). It does not need to: root enters the folder before the
 * user changes, and PostgreSQL uses paths relative to it.
 */
export const dataArgument = (data: string, user: ServerUser | undefined): string =>
  user && process.platform === 'linux' ? '/proc/self/cwd' : data

/**
 * Options of node:child_process for a PostgreSQL process. The environment, which contains secrets, is not
 * passed on.
 */
export const runAs = (user: ServerUser | undefined) => ({
  env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
  ...(user && { uid: user.uid, gid: user.gid }),
})
