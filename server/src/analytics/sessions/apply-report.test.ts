import { describe, expect, test } from 'vitest'
import type { ViewMeasures } from '../../platform/db/tables/analytics.ts'
import { applyReport, exitOf } from './apply-report.ts'
import { renditionName, type RenditionName } from '../dimensions/renditions.ts'
import type { Load, ReportLine } from './report.ts'
import { newView } from './view-state.ts'

const startMs = 1_764_000_000_000
const lengthMs = 100_000

interface Step {
  /** Seconds since the start, on the clock of the player. */
  readonly at: number
  readonly sta?: string
  readonly pt?: number
  readonly msd?: number
  readonly ltc?: number
  readonly ec?: string
  /** Bit rate in kbit/s, and size of the picture in percent of the rendition. */
  readonly br?: number
  readonly scale?: number
  readonly rendition?: RenditionName
}

let sequence = 0
const line = ({ at, sta, pt, msd, ltc, ec, br, scale, rendition }: Step): ReportLine => ({
  sn: (sequence += 1),
  ts: startMs + at * 1_000,
  sta: sta ?? null,
  playheadMs: pt === undefined ? null : pt * 1_000,
  startupMs: msd ?? null,
  latencyMs: ltc ?? null,
  errorCode: ec ?? null,
  bitRateKbps: br ?? null,
  rendition: rendition ?? null,
  scalePercent: scale ?? null,
})

/** A view whose reports arrive as they are sent, with the clock of the player off by `skewMs`. */
const simulate = (
  kind: 'viewer' | 'bot' | 'preview' = 'viewer',
  options: { readonly skewMs?: number; readonly lengthMs?: number | null } = {},
) => {
  const view = newView({
    kind,
    viewer: '0'.repeat(16),
    lengthMs: options.lengthMs === undefined ? lengthMs : options.lengthMs,
    dimensions: {},
    startedAtMs: startMs,
  })
  const sums: Partial<ViewMeasures> = {}
  const played = Array.from({ length: 100 }, () => 0)
  const reached = Array.from({ length: 100 }, () => 0)
  const dropped: Record<string, number> = {}
  let minutes = 0
  const take = (atSeconds: number, lines: readonly ReportLine[], loads: readonly Load[] = []): void => {
    const delta = applyReport(view, {
      ...{ playoutId: 'p', sessionId: 's', kind, viewer: '', lengthMs: null, dimensions: {} },
      arrivedAtMs: startMs + atSeconds * 1_000,
      lines: lines.map((one) => ({ ...one, ts: one.ts + (options.skewMs ?? 0) })),
      loads,
    })
    for (const [name, amount] of Object.entries(delta.measures) as [keyof ViewMeasures, number][])
      sums[name] = (sums[name] ?? 0) + amount
    for (const [part, ms] of delta.playedMs) played[part] = (played[part] ?? 0) + ms
    for (const part of delta.reached) reached[part] = (reached[part] ?? 0) + 1
    for (const [reason, count] of Object.entries(delta.dropped))
      dropped[reason] = (dropped[reason] ?? 0) + count
    if (delta.isNewInMinute) minutes += 1
  }
  return {
    ...{ view, sums, played, reached, dropped, take },
    minutes: () => minutes,
    /** Each step in a report of its own. */
    run: (...steps: Step[]): void => {
      for (const step of steps) take(step.at, [line(step)])
    },
  }
}

describe('the truth of each metric', () => {
  test('views: a session that plays two seconds counts once', () => {
    const one = simulate()
    one.run({ at: 0, sta: 's' }, { at: 1, sta: 'p' }, { at: 2.9, sta: 'a' })
    expect(one.sums.views).toBeUndefined()
    one.run({ at: 10, sta: 'p' }, { at: 10.1, sta: 'a' }, { at: 20, sta: 'p' }, { at: 50, sta: 'q' })
    expect(one.sums.views).toBe(1)
    expect(one.view.isOver).toBe(true)
  })

  test('a player that invents renditions costs no memory, and loses no watch time', () => {
    const one = simulate()
    const names = Array.from({ length: 50 }, (_, index) => renditionName('h264', `${index + 1}p`))
    one.run(...names.map((rendition, index) => ({ at: index, sta: 'p', rendition })))
    expect(one.sums.watch_ms).toBe(49_000)
    expect(Object.keys(one.view.renditionMs).length).toBeLessThan(25)
  })

  test('watchtime: the time in state playing, without pauses, waits and seeks', () => {
    const one = simulate()
    one.run(
      ...[{ at: 0, sta: 's' }, { at: 1, sta: 'p' }, { at: 31 }, { at: 41, sta: 'a' }],
      ...[
        { at: 60, sta: 'p' },
        { at: 65, sta: 'r' },
        { at: 68, sta: 'p' },
        { at: 70, sta: 'k' },
      ],
      ...[
        { at: 71, sta: 'p' },
        { at: 80, sta: 'e' },
      ],
    )
    expect(one.sums.watch_ms).toBe(40_000 + 5_000 + 2_000 + 9_000)
  })

  test('startuptime: the wait before the first frame, or what the player measured', () => {
    const waits = simulate()
    waits.run({ at: 0, sta: 'd' }, { at: 5, sta: 's' }, { at: 5.6, sta: 'r' }, { at: 6, sta: 'p' })
    expect([waits.sums.startups, waits.sums.startup_ms]).toEqual([1, 1_000])
    const measures = simulate()
    measures.run({ at: 0, sta: 's' }, { at: 3, sta: 'p', msd: 480 })
    expect([measures.sums.startups, measures.sums.startup_ms]).toEqual([1, 480])
    const unknown = simulate()
    unknown.run({ at: 0, sta: 'p' }, { at: 30 })
    expect(unknown.sums.startups).toBeUndefined()
  })

  test('rebuffering: waiting after the first frame counts once, whichever letter the player uses', () => {
    const one = simulate()
    one.run({ at: 0, sta: 's' }, { at: 1, sta: 'w' }, { at: 2, sta: 'p' }, { at: 10, sta: 'w' })
    one.run({ at: 12, sta: 'r' }, { at: 13, sta: 'p' }, { at: 20, sta: 'e' })
    expect([one.sums.rebuffers, one.sums.rebuffer_ms, one.sums.startup_ms]).toEqual([1, 3_000, 2_000])
  })

  test('rebuffering: waits after the first frame, but not those of a seek', () => {
    const one = simulate()
    one.run(
      ...[
        { at: 0, sta: 's' },
        { at: 0.5, sta: 'r' },
        { at: 1, sta: 'p' },
        { at: 10, sta: 'r' },
      ],
      ...[
        { at: 12, sta: 'p' },
        { at: 20, sta: 'k' },
        { at: 20.1, sta: 'r' },
        { at: 24, sta: 'p' },
      ],
      ...[
        { at: 30, sta: 'r' },
        { at: 31, sta: 'p' },
        { at: 40, sta: 'e' },
      ],
    )
    expect([one.sums.rebuffers, one.sums.rebuffer_ms]).toEqual([2, 3_000])
  })

  test('failures, errors and exits: by whether a first frame was played', () => {
    const fails = simulate()
    fails.run({ at: 0, sta: 's' }, { at: 1, sta: 'f', ec: 'manifestLoadError' }, { at: 2, sta: 'f' })
    expect(fails.sums).toEqual({ failures: 1 })
    expect(fails.view.hasStarted).toBe(false)
    expect(fails.view.errorCode).toBe('manifestLoadError')
    expect(exitOf(fails.view)).toEqual({})
    const breaks = simulate()
    breaks.run({ at: 0, sta: 's' }, { at: 1, sta: 'p' }, { at: 9, sta: 'f' })
    expect([breaks.sums.errors, breaks.sums.failures]).toEqual([1, undefined])
    const leaves = simulate()
    leaves.run({ at: 0, sta: 's' }, { at: 4, sta: 'q' })
    expect(exitOf(leaves.view)).toEqual({ exits: 1 })
  })

  test('livelatency: what players report while they play', () => {
    const one = simulate('viewer', { lengthMs: null })
    one.run({ at: 0, sta: 'p', ltc: 2_000 }, { at: 30, ltc: 3_000 }, { at: 40, sta: 'a', ltc: 9_000 })
    expect([one.sums.latencies, one.sums.latency_ms]).toEqual([2, 5_000])
  })

  test('starts: a session with a first frame counts once', () => {
    const one = simulate()
    one.run({ at: 0, sta: 's' }, { at: 1, sta: 'p' }, { at: 1.5, sta: 'a' }, { at: 9, sta: 'p' })
    expect(one.sums.starts).toBe(1)
  })

  test('startup times and latencies for percentiles are those of viewers', () => {
    for (const [kind, expected] of [
      ['viewer', [[480], [2_000]]],
      ['bot', [[], []]],
    ] as const) {
      const view = newView({ kind, viewer: '', lengthMs: null, dimensions: {}, startedAtMs: startMs })
      const { startupsMs, latenciesMs } = applyReport(view, {
        ...{ playoutId: 'p', sessionId: 's', kind, viewer: '', lengthMs: null, dimensions: {}, loads: [] },
        arrivedAtMs: startMs,
        lines: [line({ at: 0, sta: 'p', msd: 480, ltc: 2_000 })],
      })
      expect([startupsMs, latenciesMs]).toEqual(expected)
    }
  })

  test('completeviews: 90 of 100 parts, in any order, count once', () => {
    const one = simulate()
    one.run(
      ...[
        { at: 0, sta: 'p', pt: 50 },
        { at: 50, sta: 'k', pt: 100 },
      ],
      ...[
        { at: 51, sta: 'p', pt: 0 },
        { at: 90, sta: 'a', pt: 39 },
      ],
    )
    expect(one.sums.complete_views).toBeUndefined()
    one.run({ at: 91, sta: 'p', pt: 39 }, { at: 92.2, sta: 'a', pt: 40.2 })
    expect(one.sums.complete_views).toBe(1)
    one.run({ at: 93, sta: 'p', pt: 0 }, { at: 123, sta: 'q', pt: 30 })
    expect(one.sums.complete_views).toBe(1)
  })

  test('completeviews: a repeated part does not replace a missing one; without a playhead, the watch time decides', () => {
    const repeats = simulate()
    for (let round = 0; round < 4; round++)
      repeats.run({ at: round * 40, sta: 'p', pt: 0 }, { at: round * 40 + 30, sta: 'k', pt: 30 })
    expect(repeats.sums.complete_views).toBeUndefined()
    const unknown = simulate()
    unknown.run({ at: 0, sta: 'p' }, { at: 45 }, { at: 89 })
    expect(unknown.sums.complete_views).toBeUndefined()
    unknown.run({ at: 90.5 })
    expect(unknown.sums.complete_views).toBe(1)
    const live = simulate('viewer', { lengthMs: null })
    live.run({ at: 0, sta: 'p' }, { at: 90 })
    expect(live.sums.complete_views).toBeUndefined()
  })

  test('averagebitrate: weighted by playing time, from the line on which it changes', () => {
    const one = simulate()
    one.run(
      ...[{ at: 0, sta: 's' }, { at: 1, sta: 'p', br: 1_000 }, { at: 11, br: 4_000 }, { at: 31 }],
      ...[
        { at: 41, sta: 'r' },
        { at: 51, sta: 'p' },
        { at: 61, sta: 'a' },
      ],
    )
    expect(one.sums.rated_ms).toBe(50_000)
    expect(one.sums.rated_bits).toBe(10_000 * 1_000 + 40_000 * 4_000)
    const silent = simulate()
    silent.run({ at: 0, sta: 'p' }, { at: 30, sta: 'a' })
    expect(silent.sums.rated_ms).toBeUndefined()
    const late = simulate()
    late.run({ at: 0, sta: 'p' }, { at: 30, sta: 'a', br: 2_000 })
    expect(late.sums.rated_bits).toBe(30_000 * 2_000)
  })

  test('upscaling: the time in which the picture was larger than the rendition, where its size is known', () => {
    const one = simulate()
    one.run(
      ...[{ at: 0, sta: 'p', scale: 60 }, { at: 10, scale: 150 }, { at: 30, scale: 100 }, { at: 35 }],
      // Picture in picture: the size is unknown.
      { at: 40, sta: 'a' },
    )
    expect(one.sums).toMatchObject({ scaled_ms: 35_000, upscaled_ms: 20_000, upscale_ms: 10_000 })
  })

  test('heat map and retention: each part as often as it was played', () => {
    const one = simulate()
    one.run(
      ...[
        { at: 0, sta: 'p', pt: 0 },
        { at: 10, pt: 10 },
        { at: 20, sta: 'k', pt: 20 },
      ],
      ...[
        { at: 21, sta: 'p', pt: 5 },
        { at: 31, sta: 'k', pt: 15 },
        { at: 32, sta: 'p', pt: 90 },
      ],
      { at: 42, sta: 'e', pt: 100 },
    )
    const expected = Array.from({ length: 100 }, (_, part) =>
      part < 20 ? (part >= 5 && part < 15 ? 2 : 1) : part >= 90 ? 1 : 0,
    )
    expect(one.played).toEqual(expected.map((plays) => plays * 1_000))
    expect(one.reached).toEqual(expected.map((plays) => Math.min(plays, 1)))
  })

  test('concurrent viewers: once in each minute in which it plays', () => {
    const one = simulate()
    one.run(
      { at: 0, sta: 'p' },
      { at: 30 },
      { at: 59 },
      { at: 61 },
      { at: 90, sta: 'a' },
      { at: 130 },
      { at: 190 },
    )
    expect(one.minutes()).toBe(2)
  })
})

describe('reports out of order', () => {
  const steps: Step[] = [
    { at: 0, sta: 's' },
    { at: 1, sta: 'p' },
    { at: 20, sta: 'r' },
    { at: 22, sta: 'p' },
    { at: 40, sta: 'a' },
  ]

  test('in one run are sorted by their sequence numbers', () => {
    const one = simulate()
    const lines = steps.map(line)
    one.take(
      40,
      [3, 0, 4, 1, 2].flatMap((index) => lines[index] ?? []),
    )
    expect(one.sums).toMatchObject({ watch_ms: 37_000, rebuffer_ms: 2_000, startup_ms: 1_000 })
  })

  test('that come too late or twice change nothing', () => {
    const one = simulate()
    const lines = steps.map(line)
    one.take(40, lines)
    one.take(41, lines)
    expect(one.sums.watch_ms).toBe(37_000)
    expect(one.dropped).toEqual({ late: 5 })
  })

  test('of a player whose clock is hours off or is set back are right all the same', () => {
    const one = simulate('viewer', { skewMs: -7 * 3_600_000 })
    one.run(...steps)
    expect(one.sums.watch_ms).toBe(37_000)
    one.take(41, [line({ at: -3_000, sta: 'p' })])
    one.take(51, [line({ at: -2_990 })])
    expect(one.sums.watch_ms).toBe(47_000)
  })
})

describe('forged reports', () => {
  test('of more watch time than has passed are dropped', () => {
    const one = simulate()
    one.take(
      5,
      Array.from({ length: 50 }, (_, index) => line({ at: index * 30, sta: 'p' })),
    )
    expect(one.sums.watch_ms ?? 0).toBeLessThanOrEqual(40_000)
    expect(one.dropped['impossible']).toBeGreaterThan(40)
  })

  test('of a gap longer than three intervals add nothing', () => {
    const one = simulate()
    one.run({ at: 0, sta: 'p' }, { at: 600 })
    expect(one.sums.watch_ms).toBeUndefined()
    expect(one.dropped).toEqual({ gap: 1 })
  })
})

test('bots and previews count only as such', () => {
  for (const [kind, name] of [
    ['bot', 'bot_views'],
    ['preview', 'preview_views'],
  ] as const) {
    const one = simulate(kind)
    one.run({ at: 0, sta: 's' }, { at: 1, sta: 'p', pt: 0 }, { at: 31, pt: 30 }, { at: 40, sta: 'f' })
    expect(one.sums).toEqual({ [name]: 1 })
    expect(one.played.every((ms) => ms === 0)).toBe(true)
    expect(one.minutes()).toBe(0)
  }
})

test('a player that reports no state is measured by what it loads, no faster than the clock', () => {
  const one = simulate()
  const video = { isVideo: true, mediaMs: 4_000 }
  for (const at of [0, 1, 2, 3, 4, 8, 12]) one.take(at, [], [video, { isVideo: false, mediaMs: 4_000 }])
  expect(one.sums).toEqual({ watch_ms: 12_000, views: 1, starts: 1 })
  one.take(30, [line({ at: 30 })])
  expect(one.sums.watch_ms).toBe(28_000)
})
