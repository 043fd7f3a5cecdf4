import { MediaError, mediaMessage } from '@zoetrope/ffmpeg'
import { expect, test } from 'vitest'
import { isSourceAtFault } from './run-remote-job.ts'

test.each([
  ["bwrap: Can't find source path /srv/worker/zoetrope-worker-1: No such file or directory", false],
  ['[mov] error opening /source.mp4: No such file or directory', true],
])('a chunk that fails with "%s" can be the fault of its source: %s', (details, isAtFault) => {
  const error = new MediaError('failed', mediaMessage('program_not_opened'), details)
  expect(isSourceAtFault(error)).toBe(isAtFault)
})
