import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MediaError, mediaMessage } from '@zoetrope/ffmpeg'
import { expect, test } from 'vitest'
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
