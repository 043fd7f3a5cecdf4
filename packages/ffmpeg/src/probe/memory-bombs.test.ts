import { readdir, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { compressedBomb, fragmentBomb, profileBomb, sampleBomb } from '../../test-support/memory-bombs.ts'
import { useFolder } from '../../test-support/sample-media.ts'
import { checkDecodable } from '../encode/check-decodable.ts'
import { probeFile } from './probe-file.ts'

const inFolder = useFolder()

test.each([
  ['25 million samples in three tracks', () => sampleBomb({ tracks: 3, samples: 25_000_000 })],
  ['5 million samples in each of 40 tracks', () => sampleBomb({ tracks: 40, samples: 5_000_000 })],
  ['them in a compressed index', () => compressedBomb({ tracks: 40, samples: 5_000_000 })],
  ['them in a fragment', () => fragmentBomb({ tracks: 40, samples: 5_000_000 })],
])('refuses a file of a few kilobytes with %s before a program reads it', async (_name, makeBomb) => {
  const path = inFolder('bomb.mp4')
  const bytes = makeBomb()
  expect(bytes.length).toBeLessThan(30_000)
  await writeFile(path, bytes)
  await expect(probeFile(path, { ffprobePath: inFolder('no-program') })).rejects.toMatchObject({
    code: 'too_complex',
    reason: 'too_complex',
    message: expect.stringMatching(/^The file is too complex to process/),
  })
})

/** Peak of the resident memory of each process below this one, in bytes, by its id (proc_pid_status(5)). */
const readPeaks = async (): Promise<Map<number, number>> => {
  const peaks = new Map<number, number>()
  const parents = new Map<number, number>()
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  for (const id of ids) {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
    parents.set(id, Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0))
    peaks.set(id, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024)
  }
  const isBelow = (id: number): boolean => {
    const parent = parents.get(id) ?? 0
    return parent === process.pid || (parent > 1 && isBelow(parent))
  }
  return new Map([...peaks].filter(([id]) => isBelow(id)))
}

const peakDuring = async (work: Promise<unknown>): Promise<number> => {
  let isRunning = true
  const ended = (): void => void (isRunning = false)
  work.then(ended, ended)
  let peak = 0
  while (isRunning) {
    peak = Math.max(peak, ...(await readPeaks()).values())
    await delay(10)
  }
  return peak
}

test.runIf(process.platform === 'linux')(
  'refuses pictures with a colour profile of a gigabyte below 300 MB of memory',
  async () => {
    const path = inFolder('profile.mov')
    await writeFile(path, profileBomb())
    const probe = await probeFile(path)
    const checked = checkDecodable(path, probe)
    const peak = await peakDuring(checked)
    await expect(checked).rejects.toMatchObject({ code: 'too_complex', reason: 'too_complex' })
    expect(peak).toBeGreaterThan(0)
    expect(peak).toBeLessThan(300_000_000)
  },
)
