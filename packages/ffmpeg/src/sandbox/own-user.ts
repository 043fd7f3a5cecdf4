import {
  chownSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  openSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Confinement } from './confinement.ts'

/** systemd assigns no user the ids from 60578 to 61183 (UIDS-GIDS.md), and distributions use none above 60000. */
export const mediaUserId = 60_800

/** Threads count too. Bounds what a program that forks without end takes. */
const mostProcesses = 4_096

export const ownUserWords: readonly string[] = [
  ...['prlimit', `--nproc=${mostProcesses}`, 'setpriv', '--pdeathsig', 'KILL'],
  ...[`--reuid=${mediaUserId}`, `--regid=${mediaUserId}`, '--clear-groups'],
  ...['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'],
]

/** How a process of another user reaches its files, which lie in folders that are closed to it. */
export interface GrantedFiles {
  /** To inherit, from the first free descriptor on. */
  readonly descriptors: readonly number[]
  readonly renamed: (argument: string) => string
  /** Closes the descriptors here, after the start. */
  readonly close: () => void
  /** Call it after the end of the process: this one would follow links that it finds. */
  readonly removeLinks: () => void
}

/** Opens a file and lets the group of media processes reach it. The folders above stay closed. Null when it cannot. */
const grant = (path: string, isWritable: boolean): number | null => {
  let descriptor: number | null = null
  try {
    descriptor = openSync(path, isWritable ? 'r+' : 'r')
    const stats = fstatSync(descriptor)
    const { mode, uid } = stats
    const rights = stats.isDirectory() ? 0o5 : isWritable ? 0o6 : 0o4
    if ((mode & rights) !== rights) {
      fchownSync(descriptor, uid, mediaUserId)
      fchmodSync(descriptor, (mode & 0o7777) | (rights << 3))
    }
    return descriptor
  } catch {
    // The program reports that it cannot open the file.
    if (descriptor !== null) closeSync(descriptor)
    return null
  }
}

/** Grants access to the files of one process, and names them by descriptors in its arguments. */
export const grantFiles = (
  { readable, writable }: Pick<Confinement, 'readable' | 'writable'>,
  options: { readonly workFolder: string | null; readonly firstDescriptor: number },
): GrantedFiles => {
  const { workFolder, firstDescriptor } = options
  const descriptors: number[] = []
  const names = new Map<string, string>()
  const add = (path: string, isWritable: boolean): void => {
    const descriptor = grant(path, isWritable)
    if (descriptor === null) return
    names.set(path, `/proc/self/fd/${firstDescriptor + descriptors.length}`)
    descriptors.push(descriptor)
  }
  // Playlists name the files beside them.
  const isBelowOther = (path: string): boolean => readable.some((folder) => path.startsWith(`${folder}/`))
  for (const path of readable) if (!isBelowOther(path)) add(path, false)
  for (const path of writable) add(path, true)
  if (workFolder !== null) {
    names.set(workFolder, '/proc/self/cwd')
    giveFolder(workFolder)
  }
  return {
    descriptors,
    renamed: (argument) => rename(argument, names),
    close: () => descriptors.forEach((descriptor) => closeSync(descriptor)),
    removeLinks: () => {
      if (workFolder !== null) removeLinks(workFolder)
    },
  }
}

const giveFolder = (folder: string): void => {
  try {
    chownSync(folder, mediaUserId, mediaUserId)
    for (const name of readdirSync(folder)) lchownSync(join(folder, name), mediaUserId, mediaUserId)
  } catch {
    // As above.
  }
}

const removeLinks = (folder: string): void => {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (!entry.isFile() && !entry.isDirectory()) rmSync(join(folder, entry.name))
  } catch {
    // The folder is gone already.
  }
}

const rename = (argument: string, names: ReadonlyMap<string, string>): string => {
  const prefix = argument.startsWith('file:') ? 'file:' : ''
  const path = argument.slice(prefix.length)
  for (const [from, to] of names)
    if (path === from || path.startsWith(`${from}/`)) return `${prefix}${to}${path.slice(from.length)}`
  return argument
}
