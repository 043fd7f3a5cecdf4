import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDecoderPool } from './decoder-pool.ts'

let folder: string
let ffmpegPath: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decoder-pool-'))
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

const jpegOf = (content: string): Buffer =>
  Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.from(content.padEnd(8)), Buffer.from('ffd9', 'hex')])

/** Program that answers each line with a picture of the process. */
const onePerLine = "while read -r line; do printf '\\377\\330%8s\\377\\331' $$ >&3; done"

const video = { arguments: [], header: async () => Buffer.alloc(0) }
const line = async (): Promise<Buffer[]> => [Buffer.from('frame\n')]
const createPool = (mostIdle = 2) => createDecoderPool({ mostIdle, ffmpegPath })
const running = async (): Promise<number> => (await processIds()).filter(isRunning).length

test('one process decodes the pictures of a video one after the other', async () => {
  await useProgram(onePerLine)
  const pool = createPool()
  const first = await pool.picture('one', video, line)
  expect(await pool.picture('one', video, line)).toEqual(first)
  expect(await starts()).toBe(1)
  expect(await pool.picture('other', video, line)).not.toEqual(first)
  expect(await starts()).toBe(2)
  pool.close()
})

test('pictures are placed one after the other in time, and the header comes first', async () => {
  await useProgram("while read -r line; do printf '\\377\\330%8s\\377\\331' $line >&3; done")
  const pool = createPool()
  const withHeader = { arguments: [], header: async () => Buffer.from('at') }
  const picture = () => pool.picture('one', withHeader, async (atSeconds) => [Buffer.from(`${atSeconds}\n`)])
  expect((await picture()).toString('latin1')).toContain('at1000')
  const second = (await picture()).toString('latin1')
  expect(second).toContain('2000')
  expect(second).not.toContain('at')
  pool.close()
})

test('pictures of one video that are made at the same time have a process each', async () => {
  await useProgram(onePerLine)
  const pool = createPool()
  const [one, other] = await Promise.all([pool.picture('one', video, line), pool.picture('one', video, line)])
  expect(one).not.toEqual(other)
  pool.close()
})

test('a picture that appears only at the end of the input is returned', async () => {
  const picture = jpegOf('late')
  await writeFile(join(folder, 'picture'), picture)
  await useProgram(`cat > /dev/null; cat ${folder}/picture >&3`)
  const pool = createPool()
  expect(await pool.picture('one', video, line)).toEqual(picture)
  expect(await pool.picture('one', video, line)).toEqual(picture)
  expect(await starts()).toBe(2)
})

test('a process that has ended or failed is not used again', async () => {
  await useProgram(onePerLine.replace('while', 'if').replace('; done', '; fi').replace('do', 'then'))
  const pool = createPool()
  await pool.picture('one', video, line)
  await expect.poll(running).toBe(0)
  await useProgram('exit 1')
  await expect(pool.picture('one', video, line)).rejects.toThrow()
  await useProgram(onePerLine)
  await pool.picture('one', video, line)
  expect(await starts()).toBe(3)
  pool.close()
})

test('processes beyond the limit and those of a closed server end', async () => {
  await useProgram(onePerLine)
  const pool = createPool(1)
  await pool.picture('one', video, line)
  await pool.picture('other', video, line)
  await expect.poll(running).toBe(1)
  pool.close()
  await expect.poll(running).toBe(0)
})
