import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'

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

/** Far longer than the environment of a media process. */
const environmentBuffer = Buffer.alloc(64 * 1024)

/** Keeps no copy of other variables: the server processes are among those read, and theirs hold passwords. */
const readMark = (id: number): string | null => {
  let file: number | null = null
  try {
    file = openSync(`/proc/${id}/environ`, 'r')
    // The zero byte before the first variable makes all entries alike.
    readSync(file, environmentBuffer, 1, environmentBuffer.length - 1, 0)
    const prefix = `\0${variable}=`
    const start = environmentBuffer.indexOf(prefix)
    if (start === -1) return null
    const valueStart = start + prefix.length
    return environmentBuffer.toString('latin1', valueStart, environmentBuffer.indexOf(0, valueStart))
  } catch {
    // It has ended, or belongs to another user.
    return null
  } finally {
    environmentBuffer.fill(0)
    if (file !== null) closeSync(file)
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
