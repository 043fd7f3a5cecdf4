import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createStoredRecording } from './stored-recording.ts'

test('a recording that is over keeps nothing of its bytes in memory', async () => {
  const stopped = new AbortController()
  const recording = createStoredRecording({
    blobs: { put: async () => ({ sizeBytes: 0 }), delete: async () => {} },
    prefix: 'recording/',
    list: { add: async () => 'listed', replace: async () => {} },
    start: Promise.resolve(Buffer.alloc(10)),
    startOffset: 0,
    mayWrite: () => true,
    onFault: (error) => expect(error).toBeUndefined(),
    signal: stopped.signal,
  })
  recording.append([Buffer.alloc(10), Buffer.alloc(1_000)])
  recording.endRound({})
  await recording.close()
  expect(recording.sizeBytes()).toBe(1_010)
  // A listener of the node, which lives on, would hold the last pieces.
  expect(getEventListeners(stopped.signal, 'abort')).toEqual([])
})
