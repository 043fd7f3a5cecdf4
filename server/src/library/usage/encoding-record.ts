import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'
import { toTimestamp, toTimestampOrNull } from '../../platform/base/timestamp.ts'

export const encodingSchema = Type.Object(
  {
    FileId: described(idSchema, 'File that is processed.'),
    ProjectId: described(idSchema, 'Project of the file.'),
    ProjectName: Type.String({ description: 'Name of the project.' }),
    Title: Type.String({ description: 'Title of the file.' }),
    State: Type.Unsafe<string>({
      type: 'string',
      enum: ['waiting', 'running'],
      description: 'Whether a worker processes the file or the file waits.',
    }),
    Place: nullable(
      Type.Integer({
        minimum: 1,
        description:
          'Position in the queue of the account; 1 is next. Null while a worker processes the file, and after position 100.',
      }),
    ),
    Step: Type.Unsafe<string>({
      type: 'string',
      enum: ['preparing', 'encoding'],
      description:
        'Step of processing: first the file becomes playable, then the other renditions are encoded.',
    }),
    IsPlayable: Type.Boolean({ description: 'Whether viewers can already watch the file.' }),
    EncodingProgress: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Progress of encoding in percent.',
    }),
    EncodingPriority: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Priority in the queue, 0 to 100. Higher values go first.',
    }),
    WaitingSince: described(timestampSchema, 'Time at which the file entered the queue.'),
    EstimatedReadyAt: nullable(timestampSchema, 'Estimated end of processing. Null if unknown.'),
  },
  {
    description: 'A file that is being processed.',
    examples: [
      {
        FileId: 17,
        ProjectId: 3,
        ProjectName: 'Spring campaign',
        Title: 'Opening night',
        State: 'running',
        Place: null,
        Step: 'encoding',
        IsPlayable: true,
        EncodingProgress: 40,
        EncodingPriority: 50,
        WaitingSince: '2026-03-01T12:00:00.000+00:00',
        EstimatedReadyAt: '2026-03-01T12:03:20.000+00:00',
      },
    ],
  },
)

export interface EncodingRow {
  readonly id: number
  readonly project_id: number
  readonly project_name: string
  readonly title: string
  readonly state: string
  readonly is_playable: boolean
  readonly encoding_progress: number
  readonly encoding_priority: number
  readonly waiting_since: Date
  readonly estimated_ready_at: Date | null
}

export interface QueuedWork {
  readonly isRunning: boolean
  readonly isLadder: boolean
}

/**
 * Returns the queue positions, from 1, of files that no worker processes. `head` is the start of the queue, in
 * order.
 */
export const placesOf = (
  head: readonly number[],
  work: ReadonlyMap<number, readonly QueuedWork[]>,
): Map<number, number> => {
  const waiting = head.filter((id) => !work.get(id)?.some(({ isRunning }) => isRunning))
  return new Map(waiting.map((id, index) => [id, index + 1]))
}

/**
 * Converts a row of the encode queue to its API record. `work` can be empty for a moment between two jobs of a
 * file.
 */
export const encodingRecord = (row: EncodingRow, work: readonly QueuedWork[], place: number | null) => {
  const running = work.filter(({ isRunning }) => isRunning)
  const counting = running.length > 0 ? running : work
  const isEncoding =
    counting.length > 0
      ? counting.some(({ isLadder }) => isLadder)
      : row.state !== 'uploaded' && row.state !== 'created'
  return {
    FileId: row.id,
    ProjectId: row.project_id,
    ProjectName: row.project_name,
    Title: row.title,
    State: running.length > 0 ? 'running' : 'waiting',
    Place: place,
    Step: isEncoding ? 'encoding' : 'preparing',
    IsPlayable: row.is_playable,
    EncodingProgress: row.encoding_progress,
    EncodingPriority: row.encoding_priority,
    WaitingSince: toTimestamp(row.waiting_since),
    EstimatedReadyAt: toTimestampOrNull(row.estimated_ready_at),
  }
}
