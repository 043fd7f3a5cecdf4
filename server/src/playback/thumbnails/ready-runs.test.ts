import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { thumbnailArguments } from '@zoetrope/ffmpeg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createReadyRuns } from './ready-runs.ts'

let folder: string
let ffmpegPath: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ready-runs-'))
  ffmpegPath = join(folder, 'ffmpeg')
})

afterEach(() => rm(folder, { recursive: true }))

const useProgram = async (commands: string): Promise<void> => {
  await writeFile(ffmpegPath, `#!/bin/sh\necho $$ >> ${folder}/starts\n${commands}\n`)
  await chmod(ffmpegPath, 0o755)
}

const processIds = async (): Promise<number[]> =>
  (await readFile(join(folder, 'starts'), 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number)

const starts = async (): Promise<number> => (await processIds()).length

const isRunning = (processId: number): boolean => {
  try {
    return process.kill(processId, 0)
  } catch {
    return false
  }
}

const args = thumbnailArguments('jpeg', { widthPixels: 320, heightPixels: null, fit: 'contain' })
const echo = 'cat >&3'

test('a prepared run is used for the next picture with the same arguments', async () => {
  await useProgram(echo)
  const runs = createReadyRuns({ perArguments: 1, most: 2, ffmpegPath })
  runs.prepare(args)
  runs.prepare(args)
  await expect.poll(starts).toBe(1)
  const { run, feed } = runs.take(args)
  feed([Buffer.from('one'), Buffer.from('two')])
  expect((await buffer(run.pipes[0]!)).toString()).toBe('onetwo')
  await run.done
  expect(await starts()).toBe(1)
})

test('a prepared run that has ended is not used', async () => {
  await useProgram('exit 1')
  const runs = createReadyRuns({ perArguments: 1, most: 2, ffmpegPath })
  runs.prepare(args)
  await expect.poll(starts).toBe(1)
  await useProgram(echo)
  await expect
    .poll(async () => {
      const { run, feed } = runs.take(args)
      feed([Buffer.from('picture')])
      const body = await buffer(run.pipes[0]!).catch(() => Buffer.alloc(0))
      await run.done.catch(() => {})
      return body.toString()
    })
    .toBe('picture')
  expect(await starts()).toBeGreaterThanOrEqual(2)
})

test('prepared runs beyond the limit and those of a closed server end', async () => {
  await useProgram(`exec ${echo}`)
  const runs = createReadyRuns({ perArguments: 1, most: 1, ffmpegPath })
  const running = async (): Promise<boolean[]> => (await processIds()).map(isRunning)
  runs.prepare(args)
  await expect.poll(running).toEqual([true])
  runs.prepare([...args, '-an'])
  await expect.poll(running).toEqual([false, true])
  runs.close()
  await expect.poll(running).toEqual([false, false])
})

test('prepared runs leave room for other arguments, and one of these always waits', async () => {
  await useProgram(`exec ${echo}`)
  const runs = createReadyRuns({ perArguments: 2, most: 3, ffmpegPath })
  const running = async (): Promise<boolean[]> => (await processIds()).map(isRunning)
  runs.prepare(args)
  runs.prepare(args)
  await expect.poll(running).toEqual([true, true])
  runs.prepare([...args, '-an'])
  await expect.poll(running).toEqual([true, true, true])
  runs.prepare([...args, '-sn'])
  await expect.poll(async () => (await running()).filter(Boolean).length).toBe(3)
  expect(await starts()).toBe(4)
  runs.prepare([...args, '-an'])
  runs.prepare([...args, '-sn'])
  expect(await starts()).toBe(4)
  runs.close()
  await expect.poll(running).toEqual([false, false, false, false])
})
