import { readdir, readFile, readlink } from 'node:fs/promises'

/** Reading all processes of the machine takes ten milliseconds of CPU. */
export const processPollMs = 100

/** Returns the processes whose command line, environment or working folder names the data folder. */
export const processesOn = async (dataFolder: string): Promise<number[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      if (Number(pid) === process.pid) return null
      const texts = await Promise.all([
        readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
        readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
        readlink(`/proc/${pid}/cwd`).catch(() => ''),
      ])
      return texts.some((text) => text.includes(dataFolder)) ? Number(pid) : null
    }),
  )
  return found.filter((pid) => pid !== null)
}
