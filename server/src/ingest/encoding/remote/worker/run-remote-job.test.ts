import { MediaError, mediaMessage } from '@zoetrope/ffmpeg'
import { expect, test, vi } from 'vitest'
import { toStorageError } from '../../../../platform/blobs/durable-files.ts'
import { createLog } from '../../../../platform/log/log.ts'
import type { RemoteJob } from '../remote-task.ts'
import { isSourceAtFault, reasonOf, runRemoteJob } from './run-remote-job.ts'
import type { JobConnection } from './server-connection.ts'

test.each([
  ["bwrap: Can't find source path /srv/worker/zoetrope-worker-1: No such file or directory", false],
  ['[mov] error opening /source.mp4: No such file or directory', true],
])('a chunk that fails with "%s" can be the fault of its source: %s', (details, isAtFault) => {
  const error = new MediaError('failed', mediaMessage('program_not_opened'), details)
  expect(isSourceAtFault(error)).toBe(isAtFault)
})

const noSpace = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })

test.each([
  ['the copy of the source', toStorageError(noSpace)],
  ['ffmpeg', new MediaError('disk_full', mediaMessage('disk_space_used_up'), '')],
  ['the folder of the job', noSpace],
])('a full disk is that of the worker, when %s does not fit', (_what, error) => {
  expect(reasonOf(error)).toContain('The disk with the work folder of the worker is full.')
  expect(isSourceAtFault(error)).toBe(false)
})

test('gives a job back when its work folder is gone', async () => {
  const failed = vi.fn<JobConnection['failed']>().mockResolvedValue()
  await runRemoteJob({ Claim: 'claim', LeaseSeconds: 20, Source: {} } as RemoteJob, {
    connection: { failed } as Partial<JobConnection> as JobConnection,
    workFolder: '/nonexistent/zoetrope-worker-1',
    slots: 1,
    signal: new AbortController().signal,
    log: createLog({ level: 'silent' }),
  })
  expect(failed).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('ENOENT'), false)
})
