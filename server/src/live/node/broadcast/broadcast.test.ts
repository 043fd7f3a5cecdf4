import { Readable } from 'node:stream'
import { beginAt } from '@zoetrope/ll-hls'
import type { MediaMessage, PublishEnd } from '@zoetrope/rtmp'
import { expect, test, vi } from 'vitest'
import { newMessage } from '../../../platform/base/message.ts'
import {
  aacConfiguration,
  avcConfiguration,
  unitsOf,
} from '../../../../../packages/ll-hls/test-support/publisher.ts'
import { createLog } from '../../../platform/log/log.ts'
import type { LiveBroadcastRow } from '../../control/store/live-broadcasts.ts'
import type { BroadcastStore } from '../cluster/broadcast-store.ts'
import type { LivePublisher } from '../channel/live-publisher.ts'
import { Broadcast, type BroadcastOptions } from './broadcast.ts'
import { createBroadcasts } from './broadcasts.ts'
import { createLiveWarnings } from '../health/live-warnings.ts'
import type { OwnedStream } from '../cluster/owned-stream.ts'
import type { BroadcastOutput } from '../channel/broadcast-output.ts'

const stream = {
  project_id: 7,
  account_id: 1,
  playout_id: 'a',
  version: 1,
  applied_version: 1,
  stops_wanted: 0,
  stops_done: 0,
  timeshift_seconds: 0,
  reconnect_seconds: 60,
  is_low_latency: true,
  is_wanted: true,
  is_recording_wanted: false,
  stream_key_hash: Buffer.alloc(32, 1),
  broadcast_id: 3,
} as unknown as OwnedStream

const begin = (
  row: { readonly online_at?: Date } = {},
  transcoders: readonly BroadcastOutput[] = [],
  others: readonly BroadcastOutput[] = [],
) => {
  const clock = { ms: 0 }
  const now = () => clock.ms
  const written: string[] = []
  const spy = (name: string) => async (_key: unknown, reason?: unknown) => {
    const { code } = (reason ?? {}) as { code?: string }
    written.push(code === undefined ? name : `${name} ${code}`)
  }
  const names = ['markOnline', 'markAway', 'markBack', 'markEnded', 'markFailed', 'markApplied', 'warn']
  const nothing = { stop: async () => {} }
  const idle = { start: () => {}, halt: () => {}, pause: () => {}, resume: () => {}, isPaused: () => false }
  const recorder = { ...nothing, ...idle, finish: async () => {}, state: () => null }
  const store = {
    addPeriod: () => {},
    addSegment: () => {},
    has: () => false,
    read: () => Promise.reject(new Error('nothing')),
    firstNumber: () => 0,
    dropBefore: () => {},
  }
  const options: BroadcastOptions = {
    stream,
    row: { id: 3, online_at: null, disconnected_at: null, ...row },
    warnings: createLiveWarnings(now),
    store: Object.fromEntries(names.map((name) => [name, spy(name)])) as unknown as BroadcastStore,
    dvr: {
      ...nothing,
      store,
      restored: beginAt(now(), stream.epoch),
      settled: nothing.stop,
      journaled: nothing.stop,
    },
    left: null,
    createOutputs: () => ({ recorder, transcoders, others, sync: () => {} }),
    checkOwnership: () => null,
    log: createLog({ level: 'silent' }),
    now,
  }
  return { broadcast: new Broadcast(options), options, clock, written }
}

const publisherOf = (messages: AsyncIterable<MediaMessage> | Iterable<MediaMessage>) => {
  const ended = Promise.withResolvers<PublishEnd>()
  const reasons: string[] = []
  const source = Readable.from(messages)
  const publisher: LivePublisher = {
    protocol: 'rtmp',
    remoteAddress: '192.0.2.1',
    encoder: '',
    messages: untilClosed(source),
    receivedBytes: () => 0,
    ended: ended.promise,
    close: (reason) => {
      reasons.push(reason)
      ended.resolve({ code: 'closed', message: reason })
      source.destroy()
    },
  }
  return { publisher, reasons }
}

/** A stream throws when it is destroyed, but the messages of a publisher do not. */
async function* untilClosed(source: Readable): AsyncGenerator<MediaMessage> {
  try {
    yield* source as AsyncIterable<MediaMessage>
  } catch (error) {
    if (!source.destroyed) throw error
  }
}

async function* silence(): AsyncGenerator<MediaMessage> {
  await new Promise(() => {})
  yield { type: 'audio-end' }
}

test('closes a publisher with a reason when it sends nothing for ten seconds', async () => {
  const { broadcast, clock, written } = begin()
  const { publisher, reasons } = publisherOf(silence())
  broadcast.expect()
  void broadcast.take(publisher)
  clock.ms = 10_000
  broadcast.tick()
  expect(reasons).toEqual([])
  clock.ms = 10_001
  broadcast.tick()
  await broadcast.done
  expect(reasons).toEqual(['The encoder sent no video or audio within 10 s.'])
  expect(written).toEqual(['markFailed no_media'])
})

test('a publisher may be replaced after a second of silence, but not while it sends', async () => {
  const { broadcast, clock } = begin()
  broadcast.expect()
  expect(broadcast.isTaken()).toBe(true)
  let receivedBytes = 0
  void broadcast.take({ ...publisherOf(silence()).publisher, receivedBytes: () => receivedBytes })
  clock.ms = 1_000
  expect(await broadcast.isAbandoned()).toBe(false)
  clock.ms = 1_001
  expect(await broadcast.isAbandoned()).toBe(true)
  const asked = broadcast.isAbandoned()
  receivedBytes++
  expect(await asked).toBe(false)
})

test('a publisher by another protocol than RTMP may be replaced after five seconds', async () => {
  const { broadcast, clock } = begin()
  void broadcast.take({ ...publisherOf(silence()).publisher, protocol: 'hls-pull' })
  clock.ms = 5_000
  expect(await broadcast.isAbandoned()).toBe(false)
  clock.ms = 5_001
  expect(await broadcast.isAbandoned()).toBe(true)
})

test('a broadcast fails when its accepted publisher never arrives', async () => {
  const { broadcast, written } = begin()
  broadcast.expect()
  broadcast.cancelAdmission()
  await broadcast.done
  expect(written).toEqual(['markFailed left'])
})

test('closes a first or returning publisher whose key is reset before it arrives', async () => {
  const reset = { ...stream, version: 2, stream_key_hash: Buffer.alloc(32, 2) }
  const { broadcast, written } = begin()
  broadcast.expect()
  broadcast.apply(reset)
  const { publisher, reasons } = publisherOf(silence())
  await broadcast.take(publisher)
  await broadcast.done
  expect(reasons).toEqual(['The stream key was changed.'])
  expect(written).toEqual(['markApplied', 'markFailed closed'])
  expect(broadcast.failure).toMatchObject({ code: 'closed' })

  const back = begin({ online_at: new Date(0) })
  back.broadcast.expect()
  back.broadcast.apply(reset)
  const other = publisherOf(silence())
  await back.broadcast.take(other.publisher)
  expect(other.reasons).toEqual(['The stream key was changed.'])
  expect(back.broadcast.state).toBe('reconnecting')
  expect(back.broadcast.isTaken()).toBe(false)
})

async function* canned(seconds: number): AsyncGenerator<MediaMessage> {
  yield { type: 'video-configuration', codec: 'avc1', data: avcConfiguration }
  yield { type: 'audio-configuration', codec: 'mp4a', data: aacConfiguration(48_000) }
  const shape = {
    seconds,
    pictureMs: (index: number) => index * 40,
    isKey: (index: number) => index % 25 === 0,
  }
  for (const { kind, unit } of unitsOf({ ...shape, sampleRateHz: 48_000 }))
    if (kind === 'video') {
      const { decodeMs: timestampMs, compositionMs: compositionTimeMs, ...frame } = unit
      yield { type: 'video-frame', codec: 'avc1', timestampMs, compositionTimeMs, ...frame }
    } else yield { type: 'audio-frame', codec: 'mp4a', ...unit }
  yield* silence()
}

const goOnAir = async () => {
  let seconds = 0
  const arrived = Promise.withResolvers<void>()
  const output: BroadcastOutput = {
    onMessage: (message) => {
      if (message.type === 'video-frame' && message.timestampMs === 6_960) arrived.resolve()
    },
    sink: {
      onSegment: (kind, { durationSeconds }) => {
        if (kind === 'video') seconds += durationSeconds
      },
    },
    stop: async () => {},
  }
  const { broadcast } = begin({}, [], [output])
  broadcast.expect()
  void broadcast.take(publisherOf(canned(7)).publisher)
  await arrived.promise
  return { broadcast, segmentSeconds: () => seconds }
}

test('viewers get nothing of a broadcast that another node owns', async () => {
  const { options } = begin()
  const broadcasts = createBroadcasts({ ...options, prepare: async () => options })
  const broadcast = await broadcasts.open({ stream, broadcast: options.row as LiveBroadcastRow })
  broadcast.expect()
  void broadcast.take(publisherOf(canned(7)).publisher)
  await expect.poll(() => broadcasts.find(stream.playout_id)).toBe(broadcast.channel)
  broadcast.yieldToOwner()
  expect(broadcasts.find(stream.playout_id)).toBeUndefined()
})

test('a restart keeps all media of the current segment', async () => {
  const { broadcast, segmentSeconds } = await goOnAir()
  expect(segmentSeconds()).toBeLessThan(6.5)
  broadcast.shutdown()
  await broadcast.done
  expect(segmentSeconds()).toBeCloseTo(7, 1)
})

test('clears the warnings about a publisher that leaves, and no others', async () => {
  const { broadcast } = await goOnAir()
  broadcast.warnings.raise('recording_stopped', 'Recording has stopped: the disk is full.')
  broadcast.warnings.raise('no_audio', 'No audio is received.')
  broadcast.cut(newMessage('live_key_changed'))
  expect(broadcast.state).toBe('reconnecting')
  expect(broadcast.warnings.current().map(({ code }) => code)).toEqual(['recording_stopped'])
})

test('drains the encoder of the lower rungs before the broadcast ends, for three seconds at most', async () => {
  vi.useFakeTimers()
  const stopped = Promise.withResolvers<void>()
  const { broadcast } = begin({}, [{ stop: () => stopped.promise }])
  broadcast.end('stopped')
  const { packager } = broadcast.channel
  expect(packager.hasEnded).toBe(false)
  stopped.resolve()
  await broadcast.done
  expect(packager.hasEnded).toBe(true)

  const stuck = begin({}, [{ stop: () => new Promise(() => {}) }])
  stuck.broadcast.end('stopped')
  await vi.advanceTimersByTimeAsync(2_999)
  expect(stuck.broadcast.channel.packager.hasEnded).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(stuck.broadcast.channel.packager.hasEnded).toBe(true)
  vi.useRealTimers()
})

test('a broadcast that another node owns waits three seconds for the storage, so that it can come back', async () => {
  const { broadcast } = begin({}, [], [{ stop: () => new Promise(() => {}) }])
  vi.useFakeTimers()
  let isDone = false
  void broadcast.done.then(() => (isDone = true))
  broadcast.yieldToOwner()
  await vi.advanceTimersByTimeAsync(2_999)
  expect(isDone).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isDone).toBe(true)
  vi.useRealTimers()
})

test('ignores a row that was read before the broadcast began', () => {
  const { broadcast } = begin()
  broadcast.apply({ ...stream, broadcast_id: 2, stops_wanted: 1 })
  broadcast.apply({ ...stream, version: 0, is_wanted: false })
  expect(broadcast.state).toBe('connected')
  broadcast.apply({ ...stream, version: 2, stops_wanted: 1 })
  expect(broadcast.state).toBe('ended')
})
