import { sql } from 'kysely'

export interface ClaimedChunk {
  readonly renditionId: number
  readonly number: number
  readonly claim: string
  /** Number of claims so far. */
  readonly attempt: number
  /** How many of them have failed. */
  readonly failures: number
  readonly urgency: ChunkUrgency
  /** Number of chunks after this one with which the run may continue (`claimNextChunk`). */
  readonly followers: number
}

export interface ClaimedRow {
  readonly rendition_id: number
  readonly number: number
  readonly attempt: number
  readonly failures: number
}

/** An encoder renews its lease several times in this time. After that, another one gets the chunk. */
const leaseSeconds = 15
/** After this many failures, the worker lists the rung again or withdraws it. */
export const mostFailures = 3

/** Condition on `r`, a rendition, and `f`, its file: viewers of the current revision can request the rung. */
export const isServed = sql`(
  r.state = 'on_demand' and r.generation = f.generation and f.deleted_at is null
  and exists (select from projects p where p.id = f.project_id and p.deleted_at is null)
)`

export const leaseEnd = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`

/** How a chunk is encoded: while a viewer waits for it, ahead of a viewer, or because workers have nothing else to do. */
export type ChunkUrgency = 'awaited' | 'ahead' | 'idle'

/** Segment of a chunk that is ready. */
export interface MadeSegment {
  readonly startTicks: number
  readonly durationTicks: number
  readonly sizeBytes: number
  readonly keyFrameEndBytes: number
}
