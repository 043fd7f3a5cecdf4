import { readdirSync, readFileSync, statSync } from 'node:fs'

/** Variable of every media process: the data folder and the process that it works for. */
const variable = 'ZOETROPE_MEDIA_OF'

let ownMark = ''

/** Marks a process as one of this process. Empty before `endOrphans`. */
export const ownerEnvironment = (): NodeJS.ProcessEnv => (ownMark === '' ? {} : { [variable]: ownMark })

interface RunningProcess {
  readonly parentId: number
  /** Clock ticks since the start of the machine, the same in all namespaces. With the id, it names one process. */
  readonly startTicks: string
}

/** proc_pid_stat(5). The name, in parentheses, can contain anything. */
const readProcess = (id: number | 'self'): RunningProcess | null => {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parentId: Number(fields[1]), startTicks: fields[19] ?? '' }
  } catch {
    return null
  }
}

const readMark = (id: number): string | null => {
  try {
    const prefix = `${variable}=`
    const entries = readFileSync(`/proc/${id}/environ`, 'latin1').split('\0')
    return entries.find((entry) => entry.startsWith(prefix))?.slice(prefix.length) ?? null
  } catch {
    // It has ended, or belongs to another user.
    return null
  }
}

/** Whether the process that a media process works for is above it. Ids differ between containers, ticks do not. */
const hasOwner = (id: number, ownerTicks: string): boolean => {
  for (let at = readProcess(id); at !== null && at.parentId > 0;) {
    const parent = readProcess(at.parentId)
    if (parent?.startTicks === ownerTicks) return true
    at = parent
  }
  return false
}

/**
 * Kills the media processes of this data folder whose server process is dead, and returns their number. Marks later ones of
 * this process. The kernel kills a media process with its server process, except in the milliseconds in which bubblewrap starts.
 */
export const endOrphans = (dataFolder: string): number => {
  if (process.platform !== 'linux') return 0
  const { dev, ino } = statSync(dataFolder)
  const folderMark = `${dev}:${ino}:`
  ownMark = folderMark + (readProcess('self')?.startTicks ?? '')
  let ended = 0
  for (const name of readdirSync('/proc')) {
    const id = Number(name)
    const mark = Number.isInteger(id) ? readMark(id) : null
    if (mark?.startsWith(folderMark) !== true || hasOwner(id, mark.slice(folderMark.length))) continue
    try {
      process.kill(id, 'SIGKILL')
      ended += 1
    } catch {
      // It has just ended.
    }
  }
  return ended
}
