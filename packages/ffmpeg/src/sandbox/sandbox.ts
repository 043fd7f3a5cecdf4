import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { arch } from 'node:os'
import { delimiter, join } from 'node:path'
import { bubblewrapWords } from './bubblewrap.ts'
import type { Confinement } from './confinement.ts'
import { landlockEnvironment, landlockWords } from './landlock.ts'
import { seccompFilter } from './seccomp-filter.ts'
import { auditArchitectures, type FilteredArchitecture } from './system-calls.ts'

/**
 * How media processes are confined, from strongest to weakest: by bubblewrap, by Landlock, or only by resource limits. The first two also use
 * a seccomp filter.
 */
export const sandboxLevels = ['namespaces', 'landlock', 'limits'] as const
export type SandboxLevel = (typeof sandboxLevels)[number]

export interface ConfinedCommand {
  /** The words before the program. */
  readonly words: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  /** Bytes that the process reads from the filter descriptor until its end; null without a filter. */
  readonly filter: Buffer | null
}

/** A program that runs with all rights of this process. */
export const unconfined: ConfinedCommand = { words: [], environment: {}, filter: null }

type Options = { readonly workFolder: string | null; readonly filterDescriptor: number }

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
  confinement: Confinement,
  options: Options,
): ConfinedCommand => {
  const machine = architecture()
  if (level === 'limits' || machine === null) return unconfined
  const filter = seccompFilter(machine, confinement)
  if (level === 'namespaces') return { words: bubblewrapWords(confinement, options), environment: {}, filter }
  return { words: landlockWords(confinement, options), environment: landlockEnvironment(machine), filter }
}

/** Whether a program that does nothing succeeds at this level. */
const works = (level: SandboxLevel): boolean => {
  const program = findInPath('true')
  if (architecture() === null || program === null) return false
  const confinement = { readable: [program], writable: [], network: false }
  // The filter arrives on standard input, where a synchronous start can write it.
  const command = confineAt(level, confinement, { workFolder: null, filterDescriptor: 0 })
  const [file, ...words] = [...command.words, program]
  const environment = { PATH: process.env['PATH'] ?? '', ...command.environment }
  const input = command.filter ?? Buffer.alloc(0)
  return spawnSync(file, words, { input, cwd: '/', env: environment, timeout: 10_000 }).status === 0
}

let level: SandboxLevel | null = null

/** Returns the strongest level that works on this machine. Tries it once, in about 20 ms. */
export const sandboxLevel = (): SandboxLevel =>
  (level ??= (['namespaces', 'landlock'] as const).find(works) ?? 'limits')

/** Sets the level of all later processes, such as `limits` where an operator turns the sandbox off. */
export const setSandboxLevel = (chosen: SandboxLevel): void => {
  level = chosen
}
