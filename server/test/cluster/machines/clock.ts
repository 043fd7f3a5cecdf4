import { globSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The clock of one machine, as an offset to that of the host. */
export interface Clock {
  readonly file: string
  readonly step: (seconds: number) => Promise<void>
}

/** Debian's `faketime`. */
export const findClockLibrary = (): string | null =>
  globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0] ?? null

export const createClock = async (folder: string, name: string): Promise<Clock> => {
  await mkdir(folder, { recursive: true })
  const file = join(folder, name)
  const step = (seconds: number) => writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  await step(0)
  return { file, step }
}

/** Only the time of day is changed: the clock of timers never steps on a real machine. */
export const clockEnvironment = ({ file }: Clock): Record<string, string> => {
  const library = findClockLibrary()
  if (library === null) return {}
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
    FAKETIME_CACHE_DURATION: '1',
    NO_FAKE_STAT: '1',
  }
}
