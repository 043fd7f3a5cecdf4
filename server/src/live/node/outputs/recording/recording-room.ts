import type { Database } from '../../../../platform/db/database.ts'
import { Problem } from '../../../../platform/base/problem.ts'
import { freeBytesOf, leastFreeBytes } from '../free-bytes.ts'

/** How long before the disk is full the warning is raised. */
const warnSeconds = 900
/** With less free space, the disk would soon be full again. */
const leastToResumeBytes = 2 * leastFreeBytes

export interface RecorderWarnings {
  /** Raises a warning that lasts until it is cleared. */
  readonly raise: (code: string, message: string) => void
  readonly clear: (code: string) => void
}

interface Occupant {
  readonly projectId: number
  /** Whether the bytes are on the disk of the node. */
  readonly isOnDisk: boolean
  readonly warnings: RecorderWarnings
  readonly sizeBytes: () => number
  readonly halt: (reason: string) => void
  readonly pause: (reason: string) => void
  /** Whether recording waits for space on the disk. */
  readonly isPaused: () => boolean
  readonly resume: () => void
}

/**
 * Pauses recordings while the disk is full, and ends them when the quota of their project is used up.
 */
export interface RecordingRoom {
  /** Registers a recorder until the returned function is called. */
  readonly enter: (occupant: Occupant) => () => void
  readonly look: () => Promise<void>
  /** Throws 'storage_full' when the disk has no room for this many bytes. */
  readonly check: (sizeBytes: number) => Promise<void>
}

export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

export const createRecordingRoom = ({
  database,
  folder,
  freeBytes = () => freeBytesOf(folder),
}: {
  readonly database: Database
  readonly folder: string
  readonly freeBytes?: () => Promise<number>
}): RecordingRoom => {
  const occupants = new Set<Occupant>()
  let before = { atMs: performance.now(), sizes: new Map<Occupant, number>() }

  /** Write rate of all recordings together since the last call. */
  const bytesPerSecond = (recording: readonly Occupant[]): number => {
    const atMs = performance.now()
    const sizes = new Map(recording.map((occupant) => [occupant, occupant.sizeBytes()]))
    const grown = sizes
      .entries()
      .reduce((sum, [occupant, bytes]) => sum + Math.max(0, bytes - (before.sizes.get(occupant) ?? 0)), 0)
    const seconds = (atMs - before.atMs) / 1_000
    before = { atMs, sizes }
    return seconds > 0 ? grown / seconds : 0
  }

  const lookAtDisk = async (recording: readonly Occupant[], paused: readonly Occupant[]): Promise<void> => {
    const rate = bytesPerSecond(recording)
    const free = await freeBytes()
    const leftBytes = free - leastFreeBytes
    for (const { resume, warnings } of free >= leastToResumeBytes ? paused : []) {
      warnings.clear('recording_stopped')
      resume()
    }
    for (const { pause, warnings } of recording) {
      if (leftBytes <= 0) {
        warnings.clear('disk_almost_full')
        warnings.raise('recording_stopped', 'Recording has stopped: the disk is full.')
        pause('The disk is full.')
      } else if (leftBytes < rate * warnSeconds) {
        const minutes = Math.max(1, Math.floor(leftBytes / rate / 60))
        warnings.raise(
          'disk_almost_full',
          `At this rate the disk will be full in ${minutes} min. Recording will then stop.`,
        )
      } else {
        warnings.clear('disk_almost_full')
      }
    }
  }

  const lookAtQuotas = async (recording: readonly Occupant[]): Promise<void> => {
    const projects = await database.kysely
      .selectFrom('projects')
      .select(['id', 'storage_bytes', 'storage_quota_bytes'])
      .where('id', 'in', [...new Set(recording.map(({ projectId }) => projectId))])
      .where('storage_quota_bytes', 'is not', null)
      .execute()
    for (const { projectId, sizeBytes, halt, warnings } of recording) {
      const project = projects.find(({ id }) => id === projectId)
      if (project === undefined) continue
      if (project.storage_bytes + sizeBytes() < (project.storage_quota_bytes ?? Infinity)) continue
      warnings.raise(
        'recording_stopped',
        'Recording has stopped: the storage quota of the project is used up.',
      )
      halt('The storage quota of the project is used up.')
    }
  }

  return {
    enter: (occupant) => {
      occupants.add(occupant)
      return () => void occupants.delete(occupant)
    },
    look: async () => {
      const recording = [...occupants].filter(({ sizeBytes }) => sizeBytes() > 0)
      const onDisk = recording.filter(({ isOnDisk }) => isOnDisk)
      const paused = [...occupants].filter(({ isPaused }) => isPaused())
      if (onDisk.length + paused.length > 0) await lookAtDisk(onDisk, paused)
      if (recording.length > 0) await lookAtQuotas(recording)
    },
    check: async (sizeBytes) => {
      if ((await freeBytes()) - sizeBytes < leastFreeBytes) throw new Problem('recording_disk_full')
    },
  }
}
