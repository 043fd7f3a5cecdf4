import type { ViewMeasures } from '../../platform/db/tables/analytics.ts'
import type { RenditionName } from '../dimensions/renditions.ts'
import { heatOf } from './heat.ts'
import { isWhole, measureRendition } from './measure-quality.ts'
import type { Report, ReportLine } from './report.ts'
import type { ViewState } from './view-state.ts'

/** A view begins to count after this watch time. */
export const viewAfterMs = 2_000
/** Players report every 30 seconds; three intervals without a report are a break. */
const longestGapMs = 95_000
/** The first report of a session may arrive one interval after what it reports. */
const slackMs = 35_000
/** Playback at up to four times the speed moves the playhead this far. */
const fastestRate = 4
const minuteMs = 60_000
/** States before the first frame. */
const waiting = 'sdrw'

/** dash.js reports `w` in place of `r` when its buffer is empty. */
const isEmpty = (sta: string | null): boolean => sta === 'r' || sta === 'w'

export type Impossible = 'gap' | 'impossible' | 'late'

/** What a report adds to the sums. */
export interface Delta {
  readonly measures: Partial<ViewMeasures>
  /** The same measures by the rendition that played; null = not known. */
  readonly byRendition: ReadonlyMap<RenditionName | null, Partial<ViewMeasures>>
  readonly playedMs: ReadonlyMap<number, number>
  readonly reached: readonly number[]
  /** Startup times and live latencies, for percentiles. */
  readonly startupsMs: readonly number[]
  readonly latenciesMs: readonly number[]
  /** The view plays in a minute in which it did not count yet. */
  readonly isNewInMinute: boolean
  readonly becameView: boolean
  readonly dropped: Readonly<Partial<Record<Impossible, number>>>
}

/** Players choose these names, and each one costs memory. */
const mostRenditions = 20

const countedRendition = ({ renditionMs }: ViewState, name: RenditionName | null): RenditionName | null =>
  name !== null && (Object.hasOwn(renditionMs, name) || Object.keys(renditionMs).length < mostRenditions)
    ? name
    : null

const byOrder = (one: ReportLine, other: ReportLine): number =>
  one.sn !== null && other.sn !== null ? one.sn - other.sn : one.ts - other.ts

/** Adds a report to the view and returns what changed. Lines may be out of order; repeated ones change nothing. */
export const applyReport = (view: ViewState, { lines, loads, arrivedAtMs }: Report): Delta => {
  const measures: Partial<ViewMeasures> = {}
  const byRendition = new Map<RenditionName | null, Partial<ViewMeasures>>()
  const playedMs = new Map<number, number>()
  const reached = new Set<number>()
  const dropped: Partial<Record<Impossible, number>> = {}
  const startupsMs: number[] = []
  const latenciesMs: number[] = []
  const wasView = view.isView
  let isPlaying = false

  const add = (measure: keyof ViewMeasures, amount = 1): void => {
    measures[measure] = (measures[measure] ?? 0) + amount
    const ofRendition = byRendition.get(view.rendition) ?? {}
    byRendition.set(view.rendition, ofRendition)
    ofRendition[measure] = (ofRendition[measure] ?? 0) + amount
  }
  const drop = (reason: Impossible): void => {
    dropped[reason] = (dropped[reason] ?? 0) + 1
  }

  /** Time between two lines, or 0 if it cannot be true: a session lasts no longer than since its first report. */
  const creditOf = (elapsedMs: number): number => {
    if (elapsedMs > longestGapMs) {
      drop('gap')
      return 0
    }
    const leftMs = arrivedAtMs - view.startedAtMs + slackMs - view.watchMs - view.rebufferMs - view.waitedMs
    if (elapsedMs > leftMs) {
      drop('impossible')
      return 0
    }
    return elapsedMs
  }

  const addHeat = (range: readonly [number, number]): void => {
    if (view.lengthMs === null || view.kind !== 'viewer') return
    const heat = heatOf(range, view.lengthMs)
    for (const [part, ms] of heat.playedMs) playedMs.set(part, (playedMs.get(part) ?? 0) + ms)
    const known = new Set(view.reached)
    for (const part of heat.middles)
      if (!known.has(part)) {
        known.add(part)
        reached.add(part)
      }
    view.reached = [...known]
  }

  const watch = (ms: number): void => {
    view.watchMs += ms
    add('watch_ms', ms)
    if (view.rendition !== null)
      view.renditionMs = {
        ...view.renditionMs,
        [view.rendition]: (view.renditionMs[view.rendition] ?? 0) + ms,
      }
    if (view.isView || view.watchMs < viewAfterMs) return
    view.isView = true
    add('views')
    for (const range of view.early) addHeat(range)
    view.early = []
  }

  const play = (elapsedMs: number, line: ReportLine): void => {
    const ms = creditOf(elapsedMs)
    if (ms <= 0) return
    const { playheadMs } = line
    for (const [name, amount] of Object.entries(measureRendition(view, ms, line)))
      add(name as keyof ViewMeasures, amount)
    const from = view.playheadMs
    if (from !== null && view.lengthMs !== null) {
      const movedMs = playheadMs === null ? -1 : playheadMs - from
      // A seek that was not reported: the playhead moved with the clock until then.
      const isSteady = movedMs >= 0 && movedMs <= ms * fastestRate + 1_000
      const range = [from, isSteady ? from + movedMs : from + ms] as const
      if (view.isView) addHeat(range)
      else view.early = [...view.early, range]
    }
    watch(ms)
    isPlaying = true
  }

  const spend = (elapsedMs: number, line: ReportLine): void => {
    if (elapsedMs <= 0) return
    if (view.sta === 'p') play(elapsedMs, line)
    else if (isEmpty(view.sta) && view.hasStarted && !view.isAfterSeek) {
      const ms = creditOf(elapsedMs)
      view.rebufferMs += ms
      add('rebuffer_ms', ms)
    } else if (!view.hasStarted && (view.sta === 's' || isEmpty(view.sta)))
      view.waitedMs += creditOf(elapsedMs)
  }

  const countStart = (): void => {
    if (view.isStartCounted) return
    view.isStartCounted = true
    add('starts')
  }

  const start = (startupMs: number | null, wasStarting: boolean): void => {
    view.hasStarted = true
    countStart()
    const ms = startupMs ?? (wasStarting ? view.waitedMs : null)
    if (ms === null) return
    view.startupMs = ms
    add('startups')
    add('startup_ms', ms)
    startupsMs.push(ms)
  }

  const enter = (line: ReportLine): void => {
    const before = view.sta
    const after = line.sta ?? before
    if (after === 'p') {
      if (!view.hasStarted) start(line.startupMs, view.waitedMs > 0 || waiting.includes(before ?? ' '))
      view.isAfterSeek = false
      isPlaying = true
    }
    if (after === 'k') view.isAfterSeek = true
    if (isEmpty(after) && !isEmpty(before) && view.hasStarted && !view.isAfterSeek) {
      view.rebuffers += 1
      add('rebuffers')
    }
    if (after === 'f' && !view.hasFailed) {
      view.hasFailed = true
      add(view.hasStarted ? 'errors' : 'failures')
    }
    if (after === 'q') view.isOver = true
    if (line.errorCode !== null) view.errorCode = line.errorCode
    view.sta = after
  }

  for (const line of lines.toSorted(byOrder)) {
    const isLate =
      line.sn !== null && view.sn !== null ? line.sn <= view.sn : view.ts !== null && line.ts < view.ts
    if (isLate) {
      drop('late')
      continue
    }
    view.hasStates ||= line.sta !== null
    const rendition = countedRendition(view, line.rendition)
    view.rendition ??= rendition
    if (view.ts !== null) spend(line.ts - view.ts, line)
    view.rendition = rendition ?? view.rendition
    enter(line)
    view.ts = line.ts
    view.sn = line.sn ?? view.sn
    view.playheadMs = line.playheadMs ?? (view.sta === 'p' ? null : view.playheadMs)
    if (line.latencyMs !== null && view.sta === 'p') {
      add('latencies')
      add('latency_ms', line.latencyMs)
      latenciesMs.push(line.latencyMs)
    }
    view.bitRateKbps = line.bitRateKbps ?? view.bitRateKbps
    view.scalePercent = line.scalePercent
  }

  if (!view.hasStates) {
    for (const { isVideo, mediaMs, rendition } of loads) {
      view.rendition = countedRendition(view, rendition ?? null) ?? view.rendition
      if (isVideo) view.loadedVideoMs += mediaMs
      else view.loadedAudioMs += mediaMs
    }
    // Nothing plays faster than the clock; what was loaded ahead counts when a later report shows that the player is still there.
    const loadedMs = Math.max(view.loadedVideoMs, view.loadedAudioMs)
    const advanceMs = Math.min(loadedMs, arrivedAtMs - view.startedAtMs) - view.watchMs
    if (advanceMs > 0) {
      watch(advanceMs)
      isPlaying = true
    }
    if (view.isView) countStart()
  }
  if (view.isView && !view.isComplete && isWhole(view)) {
    view.isComplete = true
    add('complete_views')
  }

  view.seenAtMs = Math.max(view.seenAtMs, arrivedAtMs)
  const minute = Math.floor(arrivedAtMs / minuteMs)
  const isNewInMinute = isPlaying && view.minute !== minute && view.kind === 'viewer'
  if (isNewInMinute) view.minute = minute
  return {
    measures: ofKind(view, measures),
    byRendition: new Map([...byRendition].map(([name, part]) => [name, ofKind(view, part)])),
    playedMs,
    reached: [...reached],
    startupsMs: view.kind === 'viewer' ? startupsMs : [],
    latenciesMs: view.kind === 'viewer' ? latenciesMs : [],
    isNewInMinute,
    becameView: view.isView && !wasView,
    dropped,
  }
}

/** Views of bots and previews are only counted, apart from those of viewers. */
const ofKind = ({ kind }: ViewState, measures: Partial<ViewMeasures>): Partial<ViewMeasures> => {
  if (kind === 'viewer') return measures
  const views = measures.views ?? 0
  return views === 0 ? {} : { [kind === 'bot' ? 'bot_views' : 'preview_views']: views }
}

/** What the end of a view adds: it ended before the first frame without an error. */
export const exitOf = (view: ViewState): Partial<ViewMeasures> =>
  view.kind === 'viewer' && view.hasStates && !view.hasStarted && !view.hasFailed && view.waitedMs > 0
    ? { exits: 1 }
    : {}
