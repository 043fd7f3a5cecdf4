import { Readable } from 'node:stream'
import type { MediaMessage, PublishEnd } from '@zoetrope/rtmp'
import { expect, test } from 'vitest'
import { createLog } from '../kernel/log.ts'
import type { BroadcastStore } from './broadcast-store.ts'
import type { LivePublisher } from './live-publisher.ts'
import { LiveSession } from './live-session.ts'
import { createLiveWarnings } from './live-warnings.ts'
import type { OwnedStream } from './owned-stream.ts'

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
  broadcast_id: 3,
} as unknown as OwnedStream

/** A session on a clock of its own, and what its rows would say. */
const begin = () => {
  const clock = { ms: 0 }
  const now = () => clock.ms
  const written: string[] = []
  const note = (name: string) => async (_key: unknown, reason?: unknown) => {
    const { code } = (reason ?? {}) as { code?: string }
    written.push(code === undefined ? name : `${name} ${code}`)
  }
  const names = ['markOnline', 'markAway', 'markBack', 'markEnded', 'markFailed', 'markApplied', 'warn']
  const nothing = { stop: async () => {} }
  const recorder = { ...nothing, start: () => {}, finish: async () => {}, halt: () => {}, state: () => null }
  const store = {
    addStretch: () => {},
    addSegment: () => {},
    has: () => false,
    read: () => Promise.reject(new Error('nothing')),
    firstNumber: () => 0,
    forget: () => {},
  }
  const session = new LiveSession({
    stream,
    broadcast: { id: 3, online_at: null, disconnected_at: null },
    warnings: createLiveWarnings(now),
    store: Object.fromEntries(names.map((name) => [name, note(name)])) as unknown as BroadcastStore,
    dvr: { ...nothing, store, restored: null, settled: async () => {} },
    createParts: () => ({ recorder, feeders: [], parts: [], sync: () => {} }),
    log: createLog({ level: 'silent' }),
    now,
  })
  return { session, clock, written }
}

const publisherOf = (messages: AsyncIterable<MediaMessage> | Iterable<MediaMessage>) => {
  const ended = Promise.withResolvers<PublishEnd>()
  const reasons: string[] = []
  const source = Readable.from(messages)
  const publisher: LivePublisher = {
    protocol: 'rtmp',
    remoteAddress: '192.0.2.1',
    encoder: '',
    messages: source,
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

/** Never says anything, and never leaves. */
async function* silence(): AsyncGenerator<MediaMessage> {
  await new Promise(() => {})
  yield { type: 'audio-end' }
}

test('a publisher that sends nothing is told so after ten seconds', async () => {
  const { session, clock, written } = begin()
  const { publisher, reasons } = publisherOf(silence())
  session.expect()
  void session.take(publisher)
  clock.ms = 10_000
  session.tick()
  expect(reasons).toEqual([])
  clock.ms = 10_001
  session.tick()
  await session.done
  expect(reasons).toEqual(['The encoder sent no picture and no sound within 10 s.'])
  expect(written).toEqual(['markFailed no_media'])
})

test('a publisher that has sent nothing for five seconds may be replaced, a busy one may not', () => {
  const { session, clock } = begin()
  session.expect()
  expect(session.isTaken()).toBe(true)
  void session.take(publisherOf(silence()).publisher)
  clock.ms = 5_000
  expect(session.isStalled()).toBe(false)
  clock.ms = 5_001
  expect(session.isStalled()).toBe(true)
})

test('a publisher that was accepted and never came leaves a broadcast that failed', async () => {
  const { session, written } = begin()
  session.expect()
  session.forget()
  await session.done
  expect(written).toEqual(['markFailed left'])
})

test('a row that was read before the broadcast began stops nothing', () => {
  const { session } = begin()
  session.apply({ ...stream, broadcast_id: 2, stops_wanted: 1 })
  session.apply({ ...stream, version: 0, is_wanted: false })
  expect(session.state).toBe('connected')
  session.apply({ ...stream, version: 2, stops_wanted: 1 })
  expect(session.state).toBe('ended')
})
