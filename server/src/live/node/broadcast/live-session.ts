import { setTimeout as delay } from 'node:timers/promises'
import { LivePackager, defaultPackaging, type LiveSink } from '@zoetrope/ll-hls'
import type { MediaMessage, PublishWarning } from '@zoetrope/rtmp'
import { hashToken } from '../../../platform/base/ids.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { LiveBroadcastRow } from '../../control/store/live-broadcasts.ts'
import type { LiveNote } from '../../control/api/live-record.ts'
import { createAnnouncedChannel } from './announced-channel.ts'
import { Av1Messages } from '../channel/av1-messages.ts'
import type { BroadcastKey, BroadcastStore } from '../cluster/broadcast-store.ts'
import { createDatabaseQueue } from './database-queue.ts'
import type { Dvr } from '../outputs/dvr/create-dvr.ts'
import { endMessages, type EndCode } from '../cluster/end-code.ts'
import { feedPackager, UnsupportedMediaError } from '../channel/feed-packager.ts'
import type { LiveChannel } from '../channel/live-channel.ts'
import type { LivePublisher } from '../channel/live-publisher.ts'
import type { LiveWarnings } from '../health/live-warnings.ts'
import type { OwnedStream } from '../cluster/owned-stream.ts'
import { joinSinks } from '../channel/join-sinks.ts'
import { PublisherWatch } from './publisher-watch.ts'
import type { Recorder } from '../outputs/recording/recorder.ts'
import { isForNextBroadcast, type SessionContext, type SessionParts } from './session-context.ts'
import type { SessionPart } from '../channel/session-part.ts'
import { StreamHealth } from '../health/stream-health.ts'

/** Part target durations. Players wait for one part at a time. */
const partSeconds = { lowLatency: 0.2, usual: 0.334 }
/** A publisher that is silent for this long may be replaced: its connection may be dead without notice. */
const silenceMs = { rtmp: 1_000, other: 5_000 }
/** Bytes that a busy node has not read yet arrive within this time. */
const unreadMs = 100
/** Longest wait for the encoder of the lower rungs to drain when the broadcast ends. */
const drainMs = 3_000

export interface LiveSessionOptions {
  readonly stream: OwnedStream
  readonly broadcast: Pick<LiveBroadcastRow, 'id' | 'online_at' | 'disconnected_at'>
  readonly warnings: LiveWarnings
  readonly store: BroadcastStore
  readonly dvr: Dvr
  readonly createParts: (context: SessionContext) => SessionParts
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: () => number
}

type State = 'connected' | 'online' | 'reconnecting' | 'ended'

/**
 * One broadcast: turns the messages of its publisher into parts and segments. Its state changes at once and
 * its rows follow in order, so that no frame waits for the database. `tick` checks the time limits.
 */
export class LiveSession {
  readonly broadcastId: number
  readonly channel: LiveChannel
  readonly health: StreamHealth
  readonly warnings: LiveWarnings
  readonly #options: LiveSessionOptions
  readonly #key: BroadcastKey
  readonly #queue
  readonly #parts: SessionParts
  readonly #all: readonly SessionPart[]
  readonly #packager: LivePackager
  readonly #announceChange: () => void
  readonly #done = Promise.withResolvers<void>()
  #stream: OwnedStream
  #state: State
  #publisher: LivePublisher | null = null
  /** A publisher is accepted but has not arrived yet. */
  #isExpecting = false
  /** Why the expected publisher is refused on arrival. */
  #revocation: string | null = null
  #failure: LiveNote | null = null
  #watch: PublisherWatch
  #hasChanged = false
  #isAnnouncing = false
  #awaySinceMs: number
  #appliedVersion: number

  constructor(options: LiveSessionOptions) {
    const { stream, broadcast, store, dvr, now } = options
    this.#options = options
    this.#stream = stream
    this.#appliedVersion = stream.applied_version
    this.broadcastId = broadcast.id
    this.#key = { accountId: stream.account_id, projectId: stream.project_id, broadcastId: broadcast.id }
    this.#queue = createDatabaseQueue(options.log)
    const isBack = broadcast.online_at !== null
    this.#state = isBack ? 'reconnecting' : 'connected'
    this.#awaySinceMs = broadcast.disconnected_at?.getTime() ?? now()
    this.#watch = new PublisherWatch(now())
    this.health = new StreamHealth()
    this.warnings = options.warnings
    this.warnings.listen((warning) => this.#queue.addIfRoom(() => store.warn(this.#key, warning)))
    const sinks: LiveSink[] = [this.#ownSink()]
    this.#packager = new LivePackager({
      ...defaultPackaging,
      partTargetSeconds: stream.is_low_latency ? partSeconds.lowLatency : partSeconds.usual,
      windowSeconds: Math.max(defaultPackaging.windowSeconds, stream.timeshift_seconds),
      now,
      sink: joinSinks(sinks),
      store: dvr.store,
      resume: dvr.restored,
    })
    const { channel, announce } = createAnnouncedChannel(stream, this.#packager)
    this.channel = channel
    this.#announceChange = announce
    this.#packager.ladder.onChange(() => this.#announceSoon())
    const { broadcastId, warnings } = this
    this.#parts = options.createParts({ stream, broadcastId, channel, warnings })
    this.#all = [dvr, this.#parts.recorder, ...this.#parts.feeders, ...this.#parts.parts]
    for (const { sink } of this.#all) if (sink) sinks.push(sink)
    this.#follow(stream)
  }

  get state(): State {
    return this.#state
  }
  get stream(): OwnedStream {
    return this.#stream
  }
  get recorder(): Recorder {
    return this.#parts.recorder
  }
  /** Why the broadcast ended before viewers saw anything; null if it did not. */
  get failure(): LiveNote | null {
    return this.#failure
  }
  get publisher(): LivePublisher | null {
    return this.#publisher
  }
  /** Resolves when the broadcast is over, its rows are written and all its outputs have stopped. */
  get done(): Promise<void> {
    return this.#done.promise
  }

  /** Whether a publisher is present or expected. */
  isTaken(): boolean {
    return this.#isExpecting || this.#publisher !== null
  }

  /** Whether the publisher is away and one with this key may resume the broadcast. */
  isWaitingFor(streamKey: string): boolean {
    if (this.#state !== 'reconnecting' || this.isTaken()) return false
    return this.#stream.stream_key_hash.equals(hashToken(streamKey))
  }

  /** Whether another publisher may replace the current one. */
  async isAbandoned(): Promise<boolean> {
    const publisher = this.#publisher
    if (publisher === null) return false
    const limitMs = publisher.protocol.startsWith('rtmp') ? silenceMs.rtmp : silenceMs.other
    if (this.#watch.silentMs(this.#options.now()) <= limitMs) return false
    const receivedBytes = publisher.receivedBytes()
    await delay(unreadMs)
    return this.#publisher === publisher && publisher.receivedBytes() === receivedBytes
  }

  /** Expects an accepted publisher; `take` or `forget` must follow. */
  expect(): void {
    this.#isExpecting = true
  }

  /** Releases the broadcast, because the accepted publisher has left before it arrived. */
  forget(): void {
    if (!this.#isExpecting) return
    const revocation = this.#revocation
    this.#isExpecting = false
    this.#revocation = null
    if (this.#state !== 'connected') return
    if (revocation === null) this.#fail('left', 'The publisher left before it sent anything.')
    else this.#fail('closed', revocation)
  }

  /** Reads the messages of one publisher until it ends. */
  async take(publisher: LivePublisher): Promise<void> {
    const revocation = this.#revocation
    this.#isExpecting = false
    this.#revocation = null
    if (this.#state === 'ended') return publisher.close('The broadcast is over.')
    if (revocation !== null) {
      publisher.close(revocation)
      if (this.#state === 'connected') this.#fail('closed', revocation)
      return
    }
    const { now } = this.#options
    this.#publisher = publisher
    this.#watch = new PublisherWatch(now())
    this.health.begin(now())
    const av1 = new Av1Messages()
    try {
      for await (const message of publisher.messages) {
        // Ignore messages of a disconnected publisher.
        if (this.#publisher !== publisher) return
        for (const taken of av1.read(message)) this.#hear(taken)
      }
      const end = await publisher.ended
      if (this.#publisher === publisher) this.#lose(end)
    } catch (error) {
      const isTheirs = error instanceof UnsupportedMediaError
      const reason = isTheirs
        ? { code: 'unsupported', message: error.message }
        : { code: 'server_failed', message: 'The server could not take the stream.' }
      if (this.#publisher === publisher) this.#drop(reason)
      if (!isTheirs) throw error
    }
  }

  apply(row: OwnedStream): void {
    const before = this.#stream
    // Ignore a row from before the broadcast began, and a row older than the known one.
    const isNews = row.broadcast_id === this.broadcastId && row.version >= before.version
    if (this.#state === 'ended' || !isNews) return
    this.#stream = row
    if (!row.is_wanted) return this.end(row.is_deleted ? 'deleted' : 'disabled')
    if (row.stops_wanted > row.stops_done) return this.end('stopped')
    if (!row.stream_key_hash.equals(before.stream_key_hash)) this.cut('The stream key was changed.')
    if (row.version > before.version) this.#follow(row)
    if (row.version > this.#appliedVersion && !isForNextBroadcast(this.#options.stream, row)) {
      this.#appliedVersion = row.version
      this.#queue.add(() => this.#options.store.markApplied(this.#key, row.version))
    }
  }

  /** Disconnects the publisher; the broadcast waits for the same or another one. */
  cut(reason: string): void {
    if (this.#publisher !== null) this.#drop({ code: 'closed', message: reason })
    else if (this.#isExpecting) this.#revocation = reason
  }

  end(code: EndCode): void {
    if (this.#state === 'ended') return
    if (this.#state === 'connected') return this.#fail(code, endMessages[code])
    this.#queue.add(() => this.#options.store.markEnded(this.#key, { code, message: endMessages[code] }))
    this.#close(endMessages[code], 'ended')
  }

  /** Closes the broadcast because this process ends; the next process resumes it. */
  shutdown(): void {
    const reason = 'The server is being restarted; connect again.'
    if (this.#state === 'connected') return this.#fail('shutdown', reason)
    if (this.#state === 'online')
      this.#queue.add(() => this.#options.store.markAway(this.#key, { code: 'shutdown', message: reason }))
    if (this.#state !== 'ended') this.#close(reason, 'shutdown')
  }

  /** Closes the broadcast because another node owns the stream now. */
  surrender(): void {
    if (this.#state !== 'ended')
      this.#close('The stream goes on at another server; connect again.', 'shutdown')
  }

  /** Tries pending row changes once more, and gives up on the rest. */
  hurry(): void {
    this.#queue.hurry()
  }

  /** Must be called about once a second. */
  tick(): void {
    const nowMs = this.#options.now()
    if (this.#state === 'ended') return
    if (this.#publisher !== null) {
      this.health.check(nowMs, this.warnings)
      const failure = this.#watch.failure(nowMs) ?? this.#packager.trouble
      if (failure !== null) this.#drop({ code: 'no_media', message: failure })
    } else if (this.#state === 'reconnecting' && !this.#isExpecting) {
      if (nowMs - this.#awaySinceMs >= this.#stream.reconnect_seconds * 1_000) this.end('not_back')
    }
  }

  #follow(row: OwnedStream): void {
    const { recorder, sync } = this.#parts
    if (row.is_recording_wanted) recorder.start()
    else void recorder.finish()
    sync()
  }

  #drop(reason: LiveNote): void {
    this.#publisher?.close(reason.message)
    this.#lose(reason)
  }

  #hear(message: MediaMessage): void {
    const nowMs = this.#options.now()
    this.#watch.hear(message, nowMs)
    if (message.type === 'warning') this.#warn(message)
    this.health.hear(message, nowMs)
    for (const part of this.#all) part.onMessage?.(message)
    feedPackager(this.#packager, message)
    if (this.#hasChanged) this.#announce()
  }

  /** A clock jump is over at once; an ignored track stays ignored as long as its publisher sends. */
  #warn({ code, message }: PublishWarning): void {
    if (code === 'track_ignored') this.warnings.raise(code, message)
    else this.warnings.tell(code, message)
  }

  #ownSink(): LiveSink {
    const change = () => {
      this.#hasChanged = true
    }
    return {
      onPart: (kind, _segmentNumber, { isGap }) => {
        if (!isGap) this.health.seeShown(kind, this.#options.now())
        change()
      },
      onSegment: change,
    }
  }

  /** Announces all changes of one frame at once. */
  #announce(): void {
    this.#hasChanged = false
    this.#watch.seePart()
    if (this.#state === 'connected' && this.#isPlayable()) {
      this.#state = 'online'
      this.#queue.add(() => this.#options.store.markOnline(this.#key))
    }
    if (this.#state === 'reconnecting') {
      this.#state = 'online'
      this.#queue.add(() => this.#options.store.markBack(this.#key, describe(this.#publisher)))
    }
    this.#announceChange()
  }

  /** Players need a whole segment of each track. */
  #isPlayable(): boolean {
    const renditions = (['video', 'audio'] as const).flatMap((kind) => this.#packager.rendition(kind) ?? [])
    return renditions.length > 0 && renditions.every(({ segments }) => segments.length > 0)
  }

  #lose(end: LiveNote): void {
    this.#publisher = null
    if (this.#state === 'ended') return
    if (this.#state === 'connected') return this.#fail(end.code, end.message)
    if (end.code === 'unpublished') return this.end('unpublished')
    this.#packager.discontinue()
    for (const part of this.#all) part.onGone?.()
    this.health.clear(this.warnings)
    this.warnings.clear('track_ignored')
    if (this.#hasChanged) this.#announceEnd()
    if (this.#state !== 'online') return
    this.#state = 'reconnecting'
    this.#awaySinceMs = this.#options.now()
    this.#queue.add(() => this.#options.store.markAway(this.#key, end))
    if (this.#stream.reconnect_seconds === 0) this.end('not_back')
  }

  /** Ends a broadcast of which viewers saw nothing. */
  #fail(code: string, message: string): void {
    this.#failure = { code, message }
    this.#queue.add(() => this.#options.store.markFailed(this.#key, { code, message }))
    this.#close(message, 'ended')
  }

  #close(reason: string, why: 'ended' | 'shutdown'): void {
    const publisher = this.#publisher
    this.#state = 'ended'
    this.#publisher = null
    this.#isExpecting = false
    publisher?.close(reason)
    // Completes the current segment. A publisher that left before the first segment was measured has frames
    // that only `packager.end` turns into segments.
    if (this.#packager.targets !== undefined) this.#packager.discontinue()
    void this.#stopAll(why)
  }

  async #stopAll(why: 'ended' | 'shutdown'): Promise<void> {
    const { log } = this.#options
    const { feeders } = this.#parts
    const fed = Promise.allSettled(feeders.map(async (part) => part.stop(why)))
    if (why === 'ended') {
      if (feeders.length > 0) {
        this.#announceEnd()
        const late = Promise.withResolvers<void>()
        const timer = setTimeout(late.resolve, drainMs)
        await Promise.race([fed, late.promise])
        clearTimeout(timer)
      }
      this.#packager.end()
    }
    this.#announceEnd()
    const others = this.#all.filter((part) => !feeders.includes(part))
    const stops = Promise.allSettled([...others.map(async (part) => part.stop(why)), this.#queue.settled()])
    for (const result of [...(await fed), ...(await stops)])
      if (result.status === 'rejected')
        log.error({ err: result.reason }, 'cannot close a part of a broadcast')
    this.#done.resolve()
  }

  /** Several rungs are encoded at about the same time, so their changes are announced together. */
  #announceSoon(): void {
    if (this.#isAnnouncing) return
    this.#isAnnouncing = true
    queueMicrotask(() => {
      this.#isAnnouncing = false
      this.#announceChange()
    })
  }

  #announceEnd(): void {
    this.#hasChanged = false
    this.#announceChange()
  }
}

const describe = (publisher: LivePublisher | null) => ({
  address: publisher?.remoteAddress ?? '',
  encoder: publisher?.encoder ?? '',
})
