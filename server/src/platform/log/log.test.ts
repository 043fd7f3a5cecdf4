import fs from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { MediaError, mediaMessage } from '@zoetrope/ffmpeg'
import { expect, test, vi } from 'vitest'
import { waitFor } from '../../../test/support/wait-for.ts'
import { createLog } from './log.ts'

test('logs the stack of an error, but only message and details of an error in a source', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-log-'))
  const path = join(folder, 'log')
  const log = createLog({ level: 'info', destination: path })
  log.warn({ err: new TypeError('wrong') }, 'ours')
  log.warn({ err: new MediaError('corrupt', mediaMessage('file_video_unreadable'), 'no frame') }, 'theirs')
  const [ours, theirs] = (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).err)
  expect(ours).toEqual({
    type: 'TypeError',
    message: 'wrong',
    stack: expect.stringContaining('log.test.ts'),
  })
  expect(theirs).toEqual({
    ...{ type: 'MediaError', name: 'MediaError', code: 'corrupt', details: 'no frame', params: {} },
    message: mediaMessage('file_video_unreadable').text,
    reason: 'file_video_unreadable',
  })
  await rm(folder, { recursive: true })
})

test('a full disk does not end the process, and the lines are written when there is space', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-log-'))
  const file = join(folder, 'log')
  const log = createLog({ level: 'info', destination: file })
  const noSpace = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const write = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw noSpace
  })
  log.info('while the disk is full')
  for (let count = 0; count < 12; count += 1) log.info({ text: 'x'.repeat(100_000) }, 'long')
  write.mockRestore()
  log.info('there is space')
  const text = await waitFor(
    () => readFile(file, 'utf8'),
    (found) => found.includes('has lost lines'),
  )
  expect(text).toContain('while the disk is full')
  expect(text).toContain('"lines":')
  await rm(folder, { recursive: true })
})

test('a renamed log file is replaced by a new one, and a truncated one is continued', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-log-'))
  const file = join(folder, 'log')
  const log = createLog({ level: 'info', destination: file, reopenMs: 20 })
  // The new file exists a moment before the log writes to it.
  const waitForLine = (line: string) =>
    waitFor(
      () => {
        log.info(line)
        return readFile(file, 'utf8').catch(() => '')
      },
      (found) => found.includes(line),
    )
  log.info('first')
  await setTimeout(100)
  await rename(file, `${file}.1`)
  await waitForLine('second')
  log.info('only in the new file')
  expect(await readFile(`${file}.1`, 'utf8')).not.toContain('only in the new file')
  await rename(folder, `${folder}-moved`)
  await setTimeout(100)
  log.info('its folder is missing')
  await mkdir(folder)
  await waitForLine('back')
  await truncate(file)
  log.info('third')
  expect((await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')).toHaveLength(1)
  for (const name of [folder, `${folder}-moved`]) await rm(name, { recursive: true })
})
