import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { arch } from 'node:os'
import { delimiter, join } from 'node:path'
import { bubblewrapWords } from './bubblewrap.ts'
import type { Confinement } from './confinement.ts'
import { landlockEnvironment, landlockWords } from './landlock.ts'
import { grantFiles, ownUserWords, type GrantedFiles } from './own-user.ts'
import { seccompFilter } from './seccomp-filter.ts'
import { auditArchitectures, type FilteredArchitecture } from './system-calls.ts'

/**
 * How media processes are confined, from strongest to weakest: by bubblewrap, by Landlock, or by resource limits and, where the server runs as
 * root, a user of their own. The first two also use a seccomp filter.
 */
export const sandboxLevels = ['namespaces', 'landlock', 'limits'] as const
export type SandboxLevel = (typeof sandboxLevels)[number]

export interface ConfinedCommand {
  /** The words before the program. */
  readonly words: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  /** Bytes that the process reads from the filter descriptor until its end; null without a filter. */
  readonly filter: Buffer | null
  /** Null when the process finds its files under their own names. */
  readonly granted: GrantedFiles | null
}

/** A program that runs with all rights of this process. */
export const unconfined: ConfinedCommand = { words: [], environment: {}, filter: null, granted: null }

type Options = {
  readonly workFolder: string | null
  /** The first descriptor after the pipes. */
  readonly filterDescriptor: number
}

const architecture = (): FilteredArchitecture | null => {
  const name = arch()
  return name in auditArchitectures ? (name as FilteredArchitecture) : null
}

/** Returns the path of a program in PATH, or null. */
export const findInPath = (name: string): string | null => {
  if (name.includes('/')) return name
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not in this folder.
    }
  }
  return null
}

/** Returns the command line that confines a program at this level. */
export const confineAt = (
  level: SandboxLevel,
  program: string,
  files: Confinement,
  options: Options,
): ConfinedCommand => {
  const machine = architecture()
  if (level === 'limits' || machine === null) return confineToUser(files, options)
  const { workFolder } = options
  const confinement: Confinement = {
    network: files.network,
    readable: [program, ...files.readable],
    writable: [...files.writable, ...(workFolder === null ? [] : [workFolder])],
  }
  const filter = seccompFilter(machine, confinement)
  if (level === 'namespaces') return { ...unconfined, words: bubblewrapWords(confinement, options), filter }
  const environment = landlockEnvironment(machine)
  return { ...unconfined, words: landlockWords(confinement, options), environment, filter }
}

const confineToUser = (files: Confinement, options: Options): ConfinedCommand => {
  if (!canChangeUser()) return unconfined
  const { workFolder, filterDescriptor: firstDescriptor } = options
  return { ...unconfined, words: ownUserWords, granted: grantFiles(files, { workFolder, firstDescriptor }) }
}

let isUserChangeable: boolean | null = null

/** Whether media processes can have a user of their own: the server runs as root. */
const canChangeUser = (): boolean =>
  (isUserChangeable ??= process.geteuid?.() === 0 && run([...ownUserWords, findInPath('true') ?? 'true']))

/** Whether a command without confined files succeeds. The filter arrives on standard input, where a synchronous start can write it. */
const run = ([file = '', ...words]: readonly string[], command: ConfinedCommand = unconfined): boolean => {
  const env = { PATH: process.env['PATH'] ?? '', ...command.environment }
  const input = command.filter ?? Buffer.alloc(0)
  return spawnSync(file, words, { input, cwd: '/', env, timeout: 10_000 }).status === 0
}

/** Whether a program that does nothing succeeds at this level. */
const works = (level: SandboxLevel): boolean => {
  const program = findInPath('true')
  if (architecture() === null || program === null) return false
  const nothing = { readable: [], writable: [], network: false }
  const command = confineAt(level, program, nothing, { workFolder: null, filterDescriptor: 0 })
  return run([...command.words, program], command)
}

let level: SandboxLevel | null = null

/** Returns the strongest level that works on this machine. Tries it once, in about 20 ms. */
export const sandboxLevel = (): SandboxLevel =>
  (level ??= (['namespaces', 'landlock'] as const).find(works) ?? 'limits')

/** Sets the level of all later processes, such as `limits` where an operator turns the sandbox off. */
export const setSandboxLevel = (chosen: SandboxLevel): void => {
  level = chosen
}
