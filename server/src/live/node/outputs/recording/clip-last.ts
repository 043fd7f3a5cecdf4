import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { LivePackager } from '@zoetrope/ll-hls'
import { Problem } from '../../../../platform/base/problem.ts'
import type { LiveRecordingRow } from '../../../control/store/live-recordings.ts'
import type { LiveChannel } from '../../channel/live-channel.ts'
import { planRound } from './plan-round.ts'
import { factsOf, newPart, readRound, type RecordedPart, type TrackInRound } from './recorded-part.ts'
import { createRecordingFile, type RecordingFile } from './recording-file.ts'
import { newClipName } from './recording-name.ts'
import { isDiskFull } from './recording-room.ts'
import { insertClip, notLive, openRecordedFile, type RecordingStoreDependencies } from './recording-store.ts'
import type { Round } from './rounds.ts'
import type { UnsavedRecordings } from './unsaved-recordings.ts'

export interface ClipRequest {
  readonly durationSeconds: number
  /** Empty uses the title of the stream with the time. */
  readonly title: string
}

interface ClipDependencies extends RecordingStoreDependencies, Pick<UnsavedRecordings, 'hold' | 'save'> {
  readonly folder: string
  /** Throws 'storage_full' when the disk has no room for this many bytes. */
  readonly checkRoom: (sizeBytes: number) => Promise<void>
  readonly nodeId: string
}

/** After this time, the request is answered with a File that waits for its bytes. */
const saveMs = 10_000

/**
 * Makes a File of the last seconds of a broadcast, starting at a key frame, and returns its id. The clip is
 * shorter when less is available or continuous.
 */
export const clipLast = async (
  dependencies: ClipDependencies,
  channel: LiveChannel,
  { durationSeconds, title }: ClipRequest,
): Promise<number> => {
  const range = clipRange(channel.packager, durationSeconds)
  await dependencies.checkRoom(sizeOf(channel.packager, range))
  const fileName = newClipName()
  const path = join(dependencies.folder, fileName)
  const letGo = dependencies.hold(fileName)
  let row: LiveRecordingRow
  try {
    const {
      startedAtMs,
      durationSeconds: cutSeconds,
      sizeBytes,
    } = await writeClip(channel.packager, range, path)
    row = await insertClip(dependencies, {
      accountId: channel.accountId,
      projectId: channel.projectId,
      nodeId: dependencies.nodeId,
      fileName,
      startedAt: new Date(startedAtMs),
      endedAt: new Date(startedAtMs + cutSeconds * 1_000),
      title,
      sizeBytes,
    }).catch(async (error: unknown) => {
      await rm(path, { force: true })
      throw error
    })
  } finally {
    letGo()
  }
  const saved = dependencies.save(fileName)
  const fileId = await Promise.race([saved, delay(saveMs, null, { ref: false })])
  // The media storage is slow or unavailable. The clip is on this disk, and its File gets it as soon as possible.
  const opened = fileId === null ? await openRecordedFile(dependencies, row) : null
  const id = fileId ?? opened?.file.id ?? (await saved)
  if (id === null) throw new Problem('clip_not_stored_yet')
  return id
}

interface SegmentRange {
  readonly firstNumber: number
  readonly lastNumber: number
}

const kinds = ['video', 'audio'] as const

/** Returns the segments that all tracks have, starting with one that a file can begin with. */
const clipRange = (packager: LivePackager, durationSeconds: number): SegmentRange => {
  const renditions = kinds.flatMap((kind) => packager.rendition(kind) ?? [])
  const lastNumber = Math.min(...renditions.map(({ segments }) => segments.at(-1)?.number ?? -1))
  const segments = (renditions[0]?.segments ?? []).filter(({ number }) => number <= lastNumber)
  const last = segments.at(-1)
  if (last === undefined || packager.hasEnded) throw notLive()
  const fromSeconds = last.startSeconds + last.durationSeconds - durationSeconds
  const entries = segments.filter(({ isIndependent, isGap }) => isIndependent && !isGap)
  const first = entries.findLast(({ startSeconds }) => startSeconds <= fromSeconds) ?? entries[0]
  if (first === undefined) throw notLive()
  return { firstNumber: first.number, lastNumber }
}

const sizeOf = (packager: LivePackager, { firstNumber, lastNumber }: SegmentRange): number =>
  kinds
    .flatMap((kind) => packager.rendition(kind)?.segments ?? [])
    .filter(({ number }) => number >= firstNumber && number <= lastNumber)
    .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

interface ClipFile {
  readonly file: RecordingFile
  readonly part: RecordedPart
  readonly startedAtMs: number
}

/** When the segments are not continuous, only the last continuous run is kept. */
const writeClip = async (
  packager: LivePackager,
  { firstNumber, lastNumber }: SegmentRange,
  path: string,
): Promise<{
  readonly startedAtMs: number
  readonly durationSeconds: number
  readonly sizeBytes: number
}> => {
  let fault: unknown
  let clip: ClipFile | null = null
  const drop = async (): Promise<void> => {
    await clip?.file.close()
    clip = null
    await rm(path, { force: true })
  }
  const begin = (tracks: readonly TrackInRound[]): ClipFile => {
    const formats = tracks.map(({ format }) => format)
    const file = createRecordingFile(path, formats, (error) => {
      fault = error
    })
    return {
      file,
      part: newPart(file, tracks),
      startedAtMs: tracks[0]!.segment.startedAtMs,
    }
  }
  const add = async (number: number): Promise<void> => {
    const tracks = readRound(await readSegments(packager, number))
    const plan = planRound(clip?.part ?? null, factsOf(tracks), Infinity)
    if (plan !== 'append') await drop()
    if (plan === 'begin') clip = begin(tracks)
    for (const track of tracks) clip?.part.add(track)
    await clip?.file.written()
  }
  try {
    for (let number = firstNumber; number <= lastNumber && fault === undefined; number++) await add(number)
  } catch (error) {
    await drop()
    throw error
  }
  const whole = clip as ClipFile | null
  await whole?.file.close()
  if (fault !== undefined) {
    await drop()
    throw isDiskFull(fault) ? new Problem('disk_full', {}, { cause: fault }) : fault
  }
  if (whole === null) throw notLive()
  const { file, part, startedAtMs } = whole
  return { startedAtMs, durationSeconds: part.durationSeconds, sizeBytes: file.sizeBytes() }
}

/** Omits segments that have left the window meanwhile. */
const readSegments = async (packager: LivePackager, number: number): Promise<Round> => {
  const round: Round = {}
  for (const kind of kinds) {
    const rendition = packager.rendition(kind)
    const segment = rendition?.segment(number)
    const format = segment && rendition?.formatOf(segment.initVersion)
    if (rendition === undefined || segment === undefined || format === undefined) continue
    const pieces = await Promise.resolve(rendition.read(number)).catch(() => undefined)
    if (pieces !== undefined) round[kind] = { segment, format, pieces }
  }
  return round
}
