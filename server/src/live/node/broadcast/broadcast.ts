import { messageOf, type Message } from '@zoetrope/vocabulary'
import { LivePackager, LivePlaylists, defaultPackaging, type LiveSink } from '@zoetrope/ll-hls'
import type { MediaMessage, PublishWarning } from '@zoetrope/rtmp'
import { newMessage } from '../../../platform/base/message.ts'
import { hashToken } from '../../../platform/base/ids.ts'
import type { Log } from '../../../platform/log/log.ts'
import { liveReason, type LiveReason } from '../../control/api/live-reason.ts'
import type { LiveBroadcastRow } from '../../control/store/live-broadcasts.ts'
import { Av1Messages } from '../channel/av1-messages.ts'
import { feedPackager, UnsupportedMediaError } from '../channel/feed-packager.ts'
import { joinSinks } from '../channel/join-sinks.ts'
import type { LiveChannel } from '../channel/live-channel.ts'
import type { LivePublisher } from '../channel/live-publisher.ts'
import type { BroadcastStore } from '../cluster/broadcast-store.ts'
import { endMessages, type EndCode } from '../cluster/end-code.ts'
import type { OwnedStream } from '../cluster/owned-stream.ts'
import type { LiveWarnings } from '../health/live-warnings.ts'
import { StreamHealth } from '../health/stream-health.ts'
import type { Dvr } from '../outputs/dvr/create-dvr.ts'
import type { Recorder } from '../outputs/recording/recorder.ts'
import { createBroadcastOutputs, type BroadcastOutputs } from './broadcast-outputs.ts'
import { createBroadcastRows, type BroadcastRows } from './broadcast-rows.ts'
import { ChangeAnnouncer } from './change-announcer.ts'
import { FollowedStream } from './followed-stream.ts'
import { PublisherSlot } from './publisher-slot.ts'
import type { OutputContext, OutputSet } from './output-context.ts'

/**
 * Part target durations. Players wait for one part at a time, and low-latency players stay three of them behind. Five and
 * ten pictures at 30 frames/s, or seven frames of AAC, with timestamps in whole milliseconds.
 */
const partSeconds = { lowLatency: 0.167, usual: 0.334 }
/** Longest wait for the encoder of the lower rungs to drain when the broadcast ends. */
const drainMs = 3_000
/** Longest wait for the outputs before the next broadcast may begin. The media storage may be unavailable. */
const outputsMs = 3_000

export interface BroadcastOptions {
  readonly stream: OwnedStream
  readonly row: Pick<LiveBroadcastRow, 'id' | 'online_at' | 'disconnected_at'>
  readonly warnings: LiveWarnings
  readonly store: BroadcastStore
  readonly dvr: Dvr
  readonly left: OutputContext['left']
  readonly createOutputs: (context: OutputContext) => OutputSet
  /** Null unless the process was paused. Then it resolves when lost streams are closed. */
  readonly checkOwnership: () => Promise<void> | null
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: () => number
}

type Phase =
  | { readonly state: 'connected' | 'online' }
  | { readonly state: 'reconnecting'; readonly sinceMs: number }
  /** With the failure of a broadcast that ended before viewers saw anything. */
  | { readonly state: 'ended'; readonly failure: LiveReason | null }

/**
 * One broadcast: turns the messages of its publisher into parts and segments. Its state changes at once and
 * its rows follow in order, so that no frame waits for the database. `tick` checks the time limits.
 */
export class Broadcast {
  readonly channel: LiveChannel
  readonly health = new StreamHealth()
  readonly #options: BroadcastOptions
  readonly #rows: BroadcastRows
  readonly #outputs: BroadcastOutputs
  readonly #announcer = new ChangeAnnouncer()
  readonly #slot: PublisherSlot
  readonly #stream: FollowedStream
  readonly #done = Promise.withResolvers<void>()
  readonly #outputsStopped = Promise.withResolvers<void>()
  #phase: Phase
  #hasYielded = false

  constructor(options: BroadcastOptions) {
    const { stream, row, store, dvr, left, warnings, log, now } = options
    this.#options = options
    this.#stream = new FollowedStream(stream)
    const { account_id: accountId, project_id: projectId } = stream
    const { epoch } = stream
    const key = { accountId, projectId, broadcastId: row.id, epoch }
    this.#rows = createBroadcastRows(store, key, dvr.journaled, log)
    this.#phase =
      row.online_at === null
        ? { state: 'connected' }
        : { state: 'reconnecting', sinceMs: row.disconnected_at?.getTime() ?? now() }
    this.#slot = new PublisherSlot(now())
    warnings.listen((warning) => this.#rows.warn(warning))
    const sinks: LiveSink[] = [this.#ownSink()]
    const packager = new LivePackager({
      ...defaultPackaging,
      partTargetSeconds: stream.is_low_latency ? partSeconds.lowLatency : partSeconds.usual,
      windowSeconds: Math.max(defaultPackaging.windowSeconds, stream.timeshift_seconds),
      now,
      sink: joinSinks(sinks),
      store: dvr.store,
      resume: dvr.restored,
    })
    const channel: LiveChannel = {
      accountId,
      projectId,
      playoutId: stream.playout_id,
      epoch,
      packager,
      playlists: new LivePlaylists(packager),
      onChange: (run) => this.#announcer.listen(run),
    }
    this.channel = channel
    packager.ladder.onChange(() => this.#announcer.announceSoon())
    const outputs = options.createOutputs({ stream, broadcastId: row.id, channel, warnings, left })
    this.#outputs = createBroadcastOutputs(dvr, outputs)
    sinks.push(...this.#outputs.sinks)
    this.#outputs.follow(stream)
  }

  get broadcastId(): number {
    return this.#options.row.id
  }
  /** Number of the owner of the stream; it rises with each claim. */
  get epoch(): number {
    return this.#options.stream.epoch
  }
  /** Whether the row shows that this broadcast runs on the node that owns the stream. */
  isOwner(row: OwnedStream): boolean {
    const { node_id, epoch } = this.#options.stream
    return row.node_id === node_id && row.epoch === epoch
  }
  get warnings(): LiveWarnings {
    return this.#options.warnings
  }
  get state(): Phase['state'] {
    return this.#phase.state
  }
  /** Whether another node owns the stream now. */
  get hasYielded(): boolean {
    return this.#hasYielded
  }
  get stream(): OwnedStream {
    return this.#stream.row
  }
  get recorder(): Recorder {
    return this.#outputs.recorder
  }
  /** Why the broadcast ended before viewers saw anything; null if it did not. */
  get failure(): LiveReason | null {
    return this.#phase.state === 'ended' ? this.#phase.failure : null
  }
  get publisher(): LivePublisher | null {
    return this.#slot.publisher
  }
  /** Resolves when the broadcast is over and its rows are written, so that the next one may begin. */
  get done(): Promise<void> {
    return this.#done.promise
  }
  /** Resolves when all outputs have stopped. A recording waits until the media storage is available. */
  get outputsStopped(): Promise<void> {
    return this.#outputsStopped.promise
  }

  isTaken(): boolean {
    return this.#slot.isTaken
  }

  isWaitingFor(streamKey: string): boolean {
    if (this.state !== 'reconnecting' || this.isTaken()) return false
    return this.stream.stream_key_hash.equals(hashToken(streamKey))
  }

  /** Whether another publisher may replace the current one. */
  isAbandoned(): Promise<boolean> {
    return this.#slot.isAbandoned(this.#options.now())
  }

  /** Expects an accepted publisher; `take` or `cancelAdmission` must follow. */
  expect(): void {
    this.#slot.expect()
  }

  /** Releases the broadcast when the accepted publisher disconnects before it publishes. */
  cancelAdmission(): void {
    if (!this.#slot.isExpecting) return
    const revocation = this.#slot.endExpectation()
    if (this.state !== 'connected') return
    if (revocation === null) this.#fail(liveReason('left', newMessage('live_publisher_left_early')))
    else this.#fail(liveReason('closed', revocation))
  }

  async take(publisher: LivePublisher): Promise<void> {
    const revocation = this.#slot.endExpectation()
    if (this.state === 'ended') return publisher.close('The broadcast has ended.')
    if (revocation !== null) {
      publisher.close(revocation.text)
      if (this.state === 'connected') this.#fail(liveReason('closed', revocation))
      return
    }
    const nowMs = this.#options.now()
    this.#slot.enter(publisher, nowMs)
    this.health.begin(nowMs)
    const av1 = new Av1Messages()
    try {
      for await (const message of publisher.messages) {
        const checked = this.#options.checkOwnership()
        if (checked !== null) await checked
        // Ignore messages of a disconnected publisher.
        if (this.publisher !== publisher) return
        for (const taken of av1.read(message)) this.#receive(taken)
      }
      const end = await publisher.ended
      if (this.publisher === publisher) this.#lose(end)
    } catch (error) {
      const isTheirs = error instanceof UnsupportedMediaError
      const reason = isTheirs
        ? liveReason('unsupported', messageOf(error))
        : liveReason('server_failed', newMessage('live_server_failed'))
      if (this.publisher === publisher) this.#drop(reason)
      if (!isTheirs) throw error
    }
  }

  apply(row: OwnedStream): void {
    if (this.state === 'ended') return
    const before = this.#stream.replace(row, this.broadcastId)
    if (before === null) return
    if (!row.is_wanted) return this.end(row.is_deleted ? 'deleted' : 'disabled')
    if (row.stops_wanted > row.stops_done) return this.end('stopped')
    if (!row.stream_key_hash.equals(before.stream_key_hash)) this.cut(newMessage('live_key_changed'))
    if (row.version > before.version) this.#outputs.follow(row)
    if (this.#stream.markApplied()) this.#rows.markApplied(row.version)
  }

  cut(reason: Message): void {
    if (this.publisher !== null) this.#drop(liveReason('closed', reason))
    else this.#slot.revoke(reason)
  }

  end(code: EndCode): void {
    if (this.state === 'ended') return
    if (this.state === 'connected') return this.#fail(liveReason(code, endMessages[code]))
    this.#rows.markEnded(code, endMessages[code])
    this.#close(endMessages[code].text, 'ended')
  }

  /** Closes the broadcast because this process ends; the next process resumes it. */
  shutdown(): void {
    const reason = liveReason('shutdown', newMessage('live_server_restarting'))
    if (this.state === 'connected') return this.#fail(reason)
    if (this.state === 'online') this.#rows.markAway(reason)
    if (this.state !== 'ended') this.#close(reason.message, 'shutdown')
  }

  /** Closes the broadcast because another node owns the stream now. */
  yieldToOwner(): void {
    this.#hasYielded = true
    if (this.state !== 'ended')
      this.#close('The stream continues on another server. Connect again.', 'shutdown')
  }

  /** Tries pending row changes once more, and gives up on the rest. */
  stopRetrying(): void {
    this.#rows.stopRetrying()
  }

  /** Must be called about once a second. */
  tick(): void {
    const nowMs = this.#options.now()
    if (this.#phase.state === 'ended') return
    if (this.publisher !== null) {
      this.health.check(nowMs, this.warnings)
      const failure = this.#slot.watch.failure(nowMs) ?? this.#packagingTrouble()
      if (failure !== null) this.#drop(liveReason('no_media', failure))
    } else if (this.#phase.state === 'reconnecting' && !this.#slot.isExpecting) {
      if (nowMs - this.#phase.sinceMs >= this.stream.reconnect_seconds * 1_000) this.end('not_back')
    }
  }

  #packagingTrouble(): Message | null {
    const { trouble } = this.channel.packager
    return trouble === null ? null : newMessage('live_media_unusable', { detail: trouble })
  }

  #drop(reason: LiveReason): void {
    this.publisher?.close(reason.message)
    this.#lose(reason)
  }

  #receive(message: MediaMessage): void {
    const nowMs = this.#options.now()
    this.#slot.watch.receive(message, nowMs)
    if (message.type === 'warning') this.#warn(message)
    this.health.receive(message, nowMs)
    this.#outputs.onMessage(message)
    feedPackager(this.channel.packager, message)
    if (this.#announcer.hasChanged) this.#announce()
  }

  /** A clock jump is over at once; an ignored track stays ignored as long as its publisher sends. */
  #warn({ code, message }: PublishWarning): void {
    if (code === 'track_ignored') this.warnings.raise(code, message)
    else this.warnings.report(code, message)
  }

  #ownSink(): LiveSink {
    return {
      onPart: (kind, _segmentNumber, { isGap }) => {
        if (!isGap) this.health.seeShown(kind, this.#options.now())
        this.#announcer.markChanged()
      },
      onSegment: () => this.#announcer.markChanged(),
    }
  }

  #announce(): void {
    this.#slot.watch.seePart()
    if (this.state === 'connected' && this.#isPlayable()) {
      this.#phase = { state: 'online' }
      this.#rows.markOnline()
    } else if (this.state === 'reconnecting') {
      this.#phase = { state: 'online' }
      this.#rows.markBack(this.publisher)
    }
    this.#announcer.announce()
  }

  /** Players need a whole segment of each track. */
  #isPlayable(): boolean {
    const renditions = (['video', 'audio'] as const).flatMap(
      (kind) => this.channel.packager.rendition(kind) ?? [],
    )
    return renditions.length > 0 && renditions.every(({ segments }) => segments.length > 0)
  }

  #lose(end: LiveReason): void {
    this.#slot.leave()
    if (this.state === 'ended') return
    if (this.state === 'connected') return this.#fail(end)
    if (end.code === 'unpublished') return this.end('unpublished')
    this.channel.packager.discontinue()
    this.#outputs.onGone()
    this.health.clear(this.warnings)
    this.warnings.clear('track_ignored')
    if (this.#announcer.hasChanged) this.#announcer.announce()
    if (this.state !== 'online') return
    this.#phase = { state: 'reconnecting', sinceMs: this.#options.now() }
    this.#rows.markAway(end)
    if (this.stream.reconnect_seconds === 0) this.end('not_back')
  }

  /** Fails a broadcast that has not reached viewers yet. */
  #fail(failure: LiveReason): void {
    this.#rows.markFailed(failure)
    this.#close(failure.message, 'ended', failure)
  }

  #close(reason: string, why: 'ended' | 'shutdown', failure: LiveReason | null = null): void {
    const { publisher } = this
    const { packager } = this.channel
    this.#phase = { state: 'ended', failure }
    this.#slot.leave()
    this.#slot.endExpectation()
    publisher?.close(reason)
    // Completes the current segment. A publisher that left before the first segment was measured has frames
    // that only `packager.end` turns into segments.
    if (packager.targets !== undefined) packager.discontinue()
    void this.#stopAll(why)
  }

  async #stopAll(why: 'ended' | 'shutdown'): Promise<void> {
    const fed = Promise.allSettled(this.#outputs.stopTranscoders(why))
    if (why === 'ended') {
      if (this.#outputs.hasTranscoders) {
        this.#announcer.announce()
        await inTime(fed, drainMs)
      }
      this.channel.packager.end()
    }
    this.#announcer.announce()
    const stops = Promise.allSettled([...this.#outputs.stopOthers(why), this.#rows.settled()])
    const ends = Promise.all([fed, stops]).then((results) => {
      for (const result of results.flat())
        if (result.status === 'rejected')
          this.#options.log.error({ err: result.reason }, 'cannot close an output of a broadcast')
    })
    void ends.then(this.#outputsStopped.resolve)
    if (this.#hasYielded) await inTime(ends, outputsMs)
    else if (why === 'shutdown') await ends
    else await Promise.all([this.#rows.settled(), inTime(ends, outputsMs)])
    this.#done.resolve()
  }
}

/** Resolves with the work, or after this time. */
const inTime = async (work: Promise<unknown>, ms: number): Promise<void> => {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}
