import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { MediaError, mediaMessage } from '@zoetrope/ffmpeg'
import { expect, test, vi } from 'vitest'
import { explainEmptyRun } from './explain-empty-run.ts'

const never = new AbortController().signal
const reason = new MediaError('corrupt', mediaMessage('file_audio_unreadable'))
const broken = new MediaError('corrupt', mediaMessage('file_content_unreadable'))
const refuse = () => vi.fn(async (_signal: AbortSignal) => Promise.reject(reason))
const accept = () => vi.fn(async (_signal: AbortSignal) => {})

test('ends an encode without segments when the source is unreadable', async () => {
  let isEnded = false
  const encode = async ({ signal }: { signal: AbortSignal }) => {
    await once(signal, 'abort')
    isEnded = true
    throw broken
  }
  await expect(explainEmptyRun(never, refuse(), encode)).rejects.toBe(reason)
  expect(isEnded).toBe(true)
})

test('does not check a source whose encode has segments', async () => {
  const explain = refuse()
  await explainEmptyRun(never, explain, async ({ onBegun }) => {
    onBegun()
    await delay(1_200)
  })
  expect(explain).not.toHaveBeenCalled()
})

test('lets a slow encode of a readable source end', async () => {
  const explain = accept()
  await explainEmptyRun(never, explain, async ({ signal }) => {
    await delay(1_200)
    signal.throwIfAborted()
  })
  expect(explain).toHaveBeenCalledOnce()
})

test('explains an encode that fails, and keeps its error when the source is readable', async () => {
  const fail = async () => Promise.reject(broken)
  await expect(explainEmptyRun(never, refuse(), fail)).rejects.toBe(reason)
  await expect(explainEmptyRun(never, accept(), fail)).rejects.toBe(broken)
})

test('does not check the source after a fault of the database', async () => {
  const explain = refuse()
  const fault = new Error('connection lost')
  await expect(explainEmptyRun(never, explain, async () => Promise.reject(fault))).rejects.toBe(fault)
  expect(explain).not.toHaveBeenCalled()
})

test('does not check the source of a cancelled encode', async () => {
  const explain = refuse()
  const cancelled = new AbortController()
  const encode = async ({ signal }: { signal: AbortSignal }) => {
    cancelled.abort(new Error('the file is deleted'))
    expect(signal.aborted).toBe(true)
    throw broken
  }
  await expect(explainEmptyRun(cancelled.signal, explain, encode)).rejects.toThrow('the file is deleted')
  expect(explain).not.toHaveBeenCalled()
})
