import { AudioClock } from './audio-clock.ts'
import type { AudioUnit, VideoUnit } from './live-media.ts'
import { opusPacketSamples } from './opus-duration.ts'
import type { PartMaker } from './part-maker.ts'
import { PicturePlacer, type PictureOrigin } from './picture-placer.ts'
import type { TrackFormat } from './track-format.ts'
import { WaitingAudio } from './waiting-audio.ts'

export interface PeriodTrack {
  readonly format: TrackFormat
  readonly maker: PartMaker
}

export interface PeriodOptions extends PictureOrigin {
  readonly segmentSeconds: number
  readonly firstSegmentSeconds: number
  readonly targetDurationSeconds: number
  readonly video: PeriodTrack | undefined
  readonly audio: PeriodTrack | undefined
}

/** Audio waits this long for video, which may still determine the end of a segment. */
const audioWaitsSeconds = 1
/** Audio that lags further behind is treated as missing. */
const audioPatienceSeconds = 2
/**
 * RFC 8216bis 4.4.3.1: the rounded duration of a segment must not exceed the target. Audio may end a frame
 * later, and the longest frames last 0.256 s.
 */
const roundingSeconds = 0.24
const leastSegmentSeconds = 0.02
/** RFC 6716 2.1.4: Opus packets vary in duration. */
const longestPacketSeconds = 0.12
/**
 * The frames between two discontinuities, with one clock and one configuration per track. Cuts all tracks at
 * the same instants.
 */
export class Period {
  readonly #options: PeriodOptions
  #audio: PeriodTrack | undefined
  #audioClock: AudioClock | undefined
  readonly #waiting = new WaitingAudio()
  readonly #pictures: PicturePlacer
  /** Cuts made by the video that the audio has not reached yet, in seconds on the timeline. */
  #cuts: number[] = []
  #lastCut: number
  #videoAt: number
  #audioEndTicks = 0
  /** The current group of pictures began here, after a complete one of this length. */
  #group: { readonly startSeconds: number; readonly previousSeconds: number }

  constructor(options: PeriodOptions) {
    this.#options = options
    const { startSeconds, video } = options
    this.#lastCut = startSeconds
    this.#videoAt = startSeconds
    this.#group = { startSeconds, previousSeconds: 0 }
    this.#pictures = new PicturePlacer(options)
    video?.maker.startAt(ticksAt(startSeconds, video))
    if (options.audio) this.addAudioTrack(options.audio)
  }

  get waitingBytes(): number {
    const ofVideo = this.#options.video?.maker.waitingBytes ?? 0
    return ofVideo + (this.#audio?.maker.waitingBytes ?? 0) + this.#waiting.sizeBytes
  }

  addAudioTrack(audio: PeriodTrack): void {
    this.#audio = audio
    this.#audioClock = new AudioClock(audio.format.timescale)
    audio.maker.startAt(ticksAt(this.#lastCut, audio))
    this.#audioEndTicks = audio.maker.positionTicks
  }

  addVideo(unit: VideoUnit): void {
    const track = this.#options.video!
    const isFirst = this.#pictures.isEmpty
    const frame = this.#pictures.place(unit, track.format)
    const at = frame.startTicks / track.format.timescale
    this.#videoAt = Math.max(this.#videoAt, at)
    // Earlier audio determines where a segment that waits for its end may be cut.
    this.#releaseAudio(at)
    while (at - this.#lastCut > this.#longestSeconds) this.#cut(this.#lastCut + this.#longestSeconds)
    if (unit.isKeyFrame && !isFirst) {
      this.#group = { startSeconds: at, previousSeconds: at - this.#group.startSeconds }
      if (this.#isCutAtKey(at)) this.#cut(at)
    }
    const nextEnd = at + this.#pictures.frameTicks / track.format.timescale
    if (nextEnd - this.#lastCut > this.#longestSeconds && at > this.#segmentStart()) this.#cut(at)
    track.maker.add(frame)
    this.#missAudio()
  }

  addAudio(unit: AudioUnit): void {
    const track = this.#audio!
    const { originMs, startSeconds } = this.#options
    const { timescale, frameTicks } = track.format
    const durationTicks = frameTicks || opusPacketSamples(unit.data)
    // An invalid Opus packet. Very many without a duration could wait for the end of the same instant.
    if (durationTicks === 0) return
    const stampTicks = ((unit.timestampMs - originMs) / 1_000 + startSeconds) * timescale
    // Audio before the first picture belongs to no segment.
    if (stampTicks < ticksAt(startSeconds, track) - durationTicks / 2) return
    const startTicks = this.#audioClock!.place(
      Math.max(stampTicks, ticksAt(startSeconds, track)),
      durationTicks,
    )
    if (startTicks === null) return
    const frame = { decodeTicks: startTicks, startTicks, compositionTicks: 0, isSync: true, data: unit.data }
    this.#waiting.add({ frame, durationTicks })
    this.#releaseAudio(this.#videoAt)
  }

  /** Ends all segments and returns the position in seconds at which the timeline continues. */
  end(): number {
    this.#releaseAudio(Infinity)
    const { video } = this.#options
    if (this.#audio) this.#passCuts(this.#audio, Infinity)
    const videoEnd = this.#pictures.endTicks
    const ends = [
      video && Math.max(videoEnd, video.maker.positionTicks) / video.format.timescale,
      this.#audio &&
        Math.max(this.#audioEndTicks, this.#audio.maker.positionTicks) / this.#audio.format.timescale,
    ].filter((end) => end !== undefined)
    // Audio may have been cut a frame later than video; this ensures that no last segment is empty.
    const starts = [video, this.#audio].flatMap((track) =>
      track ? [track.maker.segmentStartTicks / track.format.timescale] : [],
    )
    const end = Math.min(
      Math.max(...ends, ...starts.map((start) => start + leastSegmentSeconds)),
      this.#lastCut + this.#longestSeconds,
    )
    for (const [track, endTicks] of [
      [video, videoEnd],
      [this.#audio, this.#audioEndTicks],
    ] as const) {
      if (track === undefined) continue
      // A track without frames since the last cut still gets a segment of that number: a gap.
      const isEmpty = endTicks <= track.maker.segmentStartTicks
      track.maker.cutAt(
        Math.min(
          isEmpty ? ticksAt(end, track) : endTicks,
          ticksAt(this.#lastCut + this.#longestSeconds, track),
        ),
      )
    }
    return Math.max(end, ...ends)
  }

  get #wantedSeconds(): number {
    const { startSeconds, segmentSeconds, firstSegmentSeconds } = this.#options
    return this.#lastCut === startSeconds ? firstSegmentSeconds : segmentSeconds
  }

  get #longestSeconds(): number {
    return this.#options.targetDurationSeconds + roundingSeconds
  }

  #isCutAtKey(at: number): boolean {
    const seconds = at - this.#segmentStart()
    if (seconds <= 0) return false
    // Timestamps in whole milliseconds make segments appear slightly shorter.
    return (
      seconds >= this.#wantedSeconds - 0.01 || seconds + this.#group.previousSeconds > this.#longestSeconds
    )
  }

  /** Returns the latest segment start of all tracks, so that no track gets an empty segment. */
  #segmentStart(): number {
    const audio = this.#audio
    if (audio === undefined) return this.#lastCut
    const { timescale, frameTicks } = audio.format
    // A cut that the audio has not reached yet will fall between two of its frames.
    const pending = this.#cuts.at(-1)
    if (pending !== undefined) return pending + (frameTicks / timescale || longestPacketSeconds)
    return Math.max(this.#lastCut, audio.maker.segmentStartTicks / timescale)
  }

  #cut(at: number): void {
    const { video } = this.#options
    this.#lastCut = at
    video?.maker.cutAt(ticksAt(at, video))
    if (this.#audio === undefined) return
    this.#cuts.push(at)
    this.#passCuts(this.#audio, this.#audioEndTicks)
  }

  /** Passes on the audio before `seconds`. Later audio may belong to another segment. */
  #releaseAudio(seconds: number): void {
    const track = this.#audio
    if (track === undefined) return
    const { timescale } = track.format
    const latest = this.#waiting.latestTicks / timescale
    const until = this.#options.video ? Math.max(seconds, latest - audioWaitsSeconds) : Infinity
    for (;;) {
      const waiting = this.#waiting.takeBefore(until, timescale)
      if (waiting === null) return
      const { frame, durationTicks } = waiting
      this.#cutBySound(frame.startTicks / timescale, durationTicks / timescale)
      this.#passCuts(track, frame.startTicks)
      track.maker.add(frame)
      this.#audioEndTicks = frame.startTicks + durationTicks
      this.#passCuts(track, this.#audioEndTicks)
    }
  }

  /**
   * Without video, audio determines the end of segments. While video pauses, segments end at the maximum
   * duration.
   */
  #cutBySound(at: number, durationSeconds: number): void {
    // First, because the frames before this one may be missing.
    while (at - this.#lastCut > this.#longestSeconds) this.#cut(this.#lastCut + this.#longestSeconds)
    const isDue = at - this.#lastCut + durationSeconds / 2 > this.#wantedSeconds
    if (this.#options.video === undefined && isDue) this.#cut(at)
  }

  #passCuts(track: PeriodTrack, untilTicks: number): void {
    // A cut between two audio frames moves to the start of the second one.
    while (this.#cuts.length > 0 && ticksAt(this.#cuts[0]!, track) <= untilTicks) {
      const cutTicks = ticksAt(this.#cuts.shift()!, track)
      const isNext = this.#audioEndTicks >= cutTicks
      track.maker.cutAt(isNext ? Math.max(cutTicks, this.#audioEndTicks) : cutTicks)
    }
  }

  /** Advances past missing audio, so that listeners do not wait for it. */
  #missAudio(): void {
    const track = this.#audio
    if (track === undefined || !this.#waiting.isEmpty) return
    const missingFrom = ticksAt(this.#videoAt - audioPatienceSeconds, track)
    if (missingFrom <= this.#audioEndTicks) return
    this.#passCuts(track, missingFrom)
    track.maker.advanceTo(missingFrom)
  }
}

const ticksAt = (seconds: number, { format }: PeriodTrack): number => Math.round(seconds * format.timescale)
