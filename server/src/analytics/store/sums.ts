import { stepOf } from '../../platform/base/latency-steps.ts'
import type { ViewHistograms, ViewMeasures } from '../../platform/db/tables/analytics.ts'
import { heatParts } from '../sessions/heat.ts'
import type { Delta } from '../sessions/apply-report.ts'
import { measuresOfStart, noMeasures } from './measures.ts'
import { addToMinute, hasMinuteMeasure, noMinute, type MinuteSum } from './minute-sums.ts'

/** Account, project, file and time that measures belong to. */
export interface Place {
  readonly accountId: number
  readonly projectId: number
  readonly fileId: number | null
  /** Time of the report. */
  readonly atMs: number
  /** Time at which the view began. */
  readonly startedAtMs: number
}

export interface HeatSum {
  views: number
  readonly playedMs: number[]
  readonly reached: number[]
}

/** Rows by their key, whose columns are the fields of `Row`. */
type Rows<Row, Value> = Map<string, { readonly row: Row; readonly value: Value }>

const cellOf = <Row, Value>(rows: Rows<Row, Value>, row: Row, fresh: () => Value): Value => {
  const key = JSON.stringify(row)
  const found = rows.get(key)
  if (found !== undefined) return found.value
  const value = fresh()
  rows.set(key, { row, value })
  return value
}

type MeasuresAndHistograms = ViewMeasures & ViewHistograms
const noFigures = (): MeasuresAndHistograms => ({ ...noMeasures(), startup_counts: [], latency_counts: [] })

/** Steps after the last one are left out. */
const addDuration = (counts: number[], durationMs: number): void => {
  const step = stepOf(durationMs)
  while (counts.length <= step) counts.push(0)
  counts[step] = (counts[step] ?? 0) + 1
}

const addTo = (sum: ViewMeasures, measures: Partial<ViewMeasures>): void => {
  // Most reports have few of the measures.
  for (const name in measures) sum[name as keyof ViewMeasures] += measures[name as keyof ViewMeasures] ?? 0
}

/** Calls `add` with the measures of each time that they count at. */
const byTime = (
  { atMs, startedAtMs }: Place,
  stepMs: number,
  measures: Partial<ViewMeasures>,
  add: (atMs: number, part: Partial<ViewMeasures>) => void,
): void => {
  if (Object.keys(measures).length === 0) return
  if (Math.floor(atMs / stepMs) === Math.floor(startedAtMs / stepMs)) return add(atMs, measures)
  const entries = Object.entries(measures)
  const isOfStart = ([name]: [string, number]): boolean => measuresOfStart.has(name as keyof ViewMeasures)
  const [ofStart, others] = [entries.filter(isOfStart), entries.filter((entry) => !isOfStart(entry))]
  if (ofStart.length > 0) add(startedAtMs, Object.fromEntries(ofStart))
  if (others.length > 0) add(atMs, Object.fromEntries(others))
}

const hourMs = 3_600_000
const minuteMs = 60_000
const dayMs = 86_400_000
/** Most reports of a run are of the same hour and minute, and formatting a date takes longer than adding the report. */
const instants = new Map<number, string>()
const mostInstants = 1_000
const instant = (atMs: number, stepMs: number): string => {
  const startMs = Math.floor(atMs / stepMs) * stepMs
  const known = instants.get(startMs)
  if (known !== undefined) return known
  if (instants.size >= mostInstants) instants.clear()
  const text = new Date(startMs).toISOString()
  instants.set(startMs, text)
  return text
}
export const dayOf = (atMs: number): string => instant(atMs, dayMs).slice(0, 10)

interface OfProject {
  readonly account_id: number
  readonly project_id: number
}
interface OfFile {
  readonly account_id: number
  readonly file_id: number
  readonly day: string
}

export type DimensionDays = Rows<
  OfProject & { readonly day: string; readonly dimension: string; readonly value: string },
  ViewMeasures
>

/** The sums of one run, one map for each table. Only watched files have sums of minutes. */
export const createSums = (watchedFiles: ReadonlySet<number> = new Set()) => {
  const hours: Rows<OfProject & { readonly hour: string }, MeasuresAndHistograms> = new Map()
  const fileDays: Rows<OfFile & OfProject, MeasuresAndHistograms> = new Map()
  const dimensionDays: DimensionDays = new Map()
  const minutes: Rows<OfProject & { readonly minute: string }, MinuteSum> = new Map()
  const fileMinutes: Rows<Omit<OfFile, 'day'> & { readonly minute: string }, MinuteSum> = new Map()
  const heat: Rows<OfFile, HeatSum> = new Map()
  const viewers: Rows<OfProject & { readonly day: string }, Set<string>> = new Map()
  const fileViewers: Rows<OfFile, Set<string>> = new Map()

  const addToMinutes = (
    { accountId, projectId, fileId, atMs }: Place,
    add: (sum: MinuteSum) => void,
  ): void => {
    const minute = instant(atMs, minuteMs)
    add(cellOf(minutes, { account_id: accountId, project_id: projectId, minute }, noMinute))
    if (fileId !== null && watchedFiles.has(fileId))
      add(cellOf(fileMinutes, { account_id: accountId, file_id: fileId, minute }, noMinute))
  }

  const addMeasures = (place: Place, measures: Partial<ViewMeasures>): void => {
    if (Object.keys(measures).length === 0) return
    if (hasMinuteMeasure(measures)) addToMinutes(place, (sum) => addToMinute(sum, measures))
    const { accountId, projectId, fileId } = place
    const ofProject = { account_id: accountId, project_id: projectId }
    byTime(place, hourMs, measures, (atMs, part) => {
      addTo(cellOf(hours, { ...ofProject, hour: instant(atMs, hourMs) }, noFigures), part)
      if (fileId !== null)
        addTo(cellOf(fileDays, { ...ofProject, file_id: fileId, day: dayOf(atMs) }, noFigures), part)
    })
  }
  const addDimensions = (
    place: Place,
    measures: Partial<ViewMeasures>,
    dimensions: Readonly<Record<string, string>>,
  ): void => {
    const ofProject = { account_id: place.accountId, project_id: place.projectId }
    byTime(place, dayMs, measures, (atMs, part) => {
      const day = dayOf(atMs)
      for (const [dimension, value] of Object.entries(dimensions))
        addTo(cellOf(dimensionDays, { ...ofProject, day, dimension, value }, noMeasures), part)
    })
  }

  const addDurations = (
    { accountId, projectId, fileId, atMs, startedAtMs }: Place,
    { startupsMs, latenciesMs }: Delta,
  ): void => {
    const ofProject = { account_id: accountId, project_id: projectId }
    const cellsAt = (ms: number): MeasuresAndHistograms[] => [
      cellOf(hours, { ...ofProject, hour: instant(ms, hourMs) }, noFigures),
      ...(fileId === null
        ? []
        : [cellOf(fileDays, { ...ofProject, file_id: fileId, day: dayOf(ms) }, noFigures)]),
    ]
    if (startupsMs.length > 0)
      for (const { startup_counts } of cellsAt(startedAtMs))
        for (const ms of startupsMs) addDuration(startup_counts, ms)
    if (latenciesMs.length > 0)
      for (const { latency_counts } of cellsAt(atMs))
        for (const ms of latenciesMs) addDuration(latency_counts, ms)
  }

  return {
    ...{ hours, fileDays, dimensionDays, minutes, fileMinutes, heat, viewers, fileViewers, addMeasures },
    addDimensions,
    addDelta: (
      place: Place,
      { viewer, kind }: { readonly viewer: string; readonly kind: string },
      delta: Delta,
    ): void => {
      const { accountId, projectId, fileId, startedAtMs } = place
      const ofProject = { account_id: accountId, project_id: projectId }
      const day = dayOf(startedAtMs)
      addMeasures(place, delta.measures)
      addDurations(place, delta)
      if (delta.isNewInMinute)
        addToMinutes(place, (sum) => {
          sum.viewers += 1
        })
      if (delta.becameView && kind === 'viewer')
        cellOf(viewers, { ...ofProject, day }, () => new Set<string>()).add(viewer)
      if (fileId === null) return
      const ofFile = { account_id: accountId, file_id: fileId, day }
      if (delta.becameView && kind === 'viewer')
        cellOf(fileViewers, ofFile, () => new Set<string>()).add(viewer)
    },
    /** Adds what the view played of the current source of its file. */
    addHeat: (
      { accountId, fileId, startedAtMs }: Place,
      { kind }: { readonly kind: string },
      delta: Delta,
    ): void => {
      const isNewView = delta.becameView && kind === 'viewer'
      if (fileId === null || (delta.playedMs.size === 0 && !isNewView)) return
      const ofFile = { account_id: accountId, file_id: fileId, day: dayOf(startedAtMs) }
      const sum = cellOf(heat, ofFile, (): HeatSum => ({
        views: 0,
        playedMs: Array.from({ length: heatParts }, () => 0),
        reached: Array.from({ length: heatParts }, () => 0),
      }))
      if (isNewView) sum.views += 1
      for (const [part, ms] of delta.playedMs) sum.playedMs[part] = (sum.playedMs[part] ?? 0) + ms
      for (const part of delta.reached) sum.reached[part] = (sum.reached[part] ?? 0) + 1
    },
  }
}

export type Sums = ReturnType<typeof createSums>
