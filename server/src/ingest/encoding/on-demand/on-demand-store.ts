import { randomUUID } from 'node:crypto'
import type { TrackDescription } from '@zoetrope/packager'
import { sql } from 'kysely'
import { lockRung } from '../../../library/files/on-demand/wanted-chunks.ts'
import { soonSeconds } from '../../../library/files/on-demand/wanted-rungs.ts'
import { discardBlobs } from '../../../library/files/media/garbage-list.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { isOfLiveProject } from '../../../library/files/record/media-file-store.ts'
import type { RenditionRow } from '../../../library/files/record/parts/rendition-record.ts'
import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'
import { encodeSegments, type RenditionOwner } from '../../renditions/rendition-store.ts'
import type { OnDemandPlan, PlannedSegment } from './plan/plan-on-demand.ts'

/** Segment of a chunk that is ready. */
export interface MadeSegment {
  readonly startTicks: number
  readonly durationTicks: number
  readonly sizeBytes: number
  readonly keyFrameEndBytes: number
}

/** Returns the id of the new rendition. */
export const insertOnDemandRendition = async (
  tx: Tx,
  { accountId, fileId, revision }: RenditionOwner,
  rendition: {
    readonly mediaBlob: string
    readonly plan: OnDemandPlan
    readonly track: Pick<TrackDescription, 'codec' | 'widthPixels' | 'heightPixels'>
    readonly segments: readonly PlannedSegment[]
    readonly bitRates: { readonly peakBitsPerSecond: number; readonly averageBitsPerSecond: number }
    readonly hasClosedCaptions: boolean | null
  },
): Promise<number> => {
  const { plan, track, segments, bitRates } = rendition
  const { numerator, denominator } = plan.plan.frameRate ?? { numerator: 0, denominator: 1 }
  const { id } = await tx
    .insertInto('renditions')
    .values({
      account_id: accountId,
      file_id: fileId,
      generation: revision,
      kind: 'video',
      name: plan.rung.name,
      delivery: 'packaged',
      state: 'on_demand',
      media_blob: rendition.mediaBlob,
      codec: track.codec,
      timescale: plan.timescale,
      width_pixels: track.widthPixels,
      height_pixels: track.heightPixels,
      frame_rate: numerator / denominator,
      peak_bits_per_second: bitRates.peakBitsPerSecond,
      average_bits_per_second: bitRates.averageBitsPerSecond,
      segments: encodeSegments(segments),
      has_closed_captions: rendition.hasClosedCaptions,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('on_demand_renditions')
    .values({
      rendition_id: id,
      account_id: accountId,
      file_id: fileId,
      plan: JSON.stringify(plan),
      chunk_count: segments.length,
    })
    .execute()
  return id
}

export interface ClaimedChunk {
  readonly renditionId: number
  readonly number: number
  readonly claim: string
  /** Number of claims so far. */
  readonly attempt: number
  /** How many of them have failed. */
  readonly failures: number
  readonly urgency: ChunkUrgency
  /** Number of chunks after this one that the same run may go on to (`claimNextChunk`). */
  readonly followers: number
}

interface ClaimedRow {
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

const leaseEnd = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`

/** Files and projects without an encoder for this long have equal turns. */
const turnSeconds = 60
/** A run continues with at most this number of chunks. */
const mostFollowers = 6

/** Conditions on `chunk`. */
const isClaimable = sql`(
  chunk.state <> 'ready' and chunk.wanted_until > now() and coalesce(chunk.leased_until < now(), true)
  and chunk.failures < ${mostFailures}
)`
const isAwaitedNow = sql`coalesce(chunk.awaited_until > now(), false)`
/** Chunks of downloads are wanted for longer. */
const isWantedSoon = sql`(chunk.wanted_until <= now() + make_interval(secs => ${soonSeconds}))`
/** A viewer who waits has played the chunk before. */
const isPlayedOn = sql`(${isAwaitedNow} and exists (
  select from on_demand_chunks before
  where before.rendition_id = chunk.rendition_id and before.number = chunk.number - 1 and before.state = 'ready'
))`
/** Other encoders skip the chunk, because that of the chunk before takes it next. */
const isTakenNext = sql`exists (
  select from on_demand_chunks before
  where before.rendition_id = chunk.rendition_id and before.number = chunk.number - 1 and before.continues
    and before.state = 'claimed' and before.leased_until >= now()
)`
/** SVT-AV1 cannot begin segments at the planned frames of several chunks. */
const canContinue = sql`r.codec not like 'av01%'`

export interface ClaimOrder {
  /** Takes only chunks that viewers wait for. */
  readonly isAwaitedOnly: boolean
  /** Whether the run may continue with the chunks after this one. */
  readonly mayContinue: boolean
  /**
   * Whether, in a project, viewers who continue to play a rung go first. Others have the source or the lowest rung. They must not
   * wait for ever, so some claims leave this out.
   */
  readonly isPlayedOnFirst: boolean
}

const usualOrder: ClaimOrder = { isAwaitedOnly: false, mayContinue: false, isPlayedOnFirst: true }

/**
 * Leases the next wanted chunk: first those that viewers wait for, last those of downloads. Projects take turns, and so do the
 * files of a project: first the one for which an encoder began longest ago. Each chunk has one encoder at a time.
 */
export const claimWantedChunk = async (
  { kysely }: Database,
  { isAwaitedOnly, mayContinue, isPlayedOnFirst }: ClaimOrder = usualOrder,
): Promise<ClaimedChunk | null> => {
  const claim = randomUUID()
  const { rows } = await sql<ClaimedRow & { is_awaited: boolean; followers: number }>`
    with recent as materialized (
      select c.file_id, f.project_id, max(c.claimed_at) as claimed_at
      from on_demand_chunks c join media_files f on f.id = c.file_id
      where c.claimed_at > now() - make_interval(secs => ${turnSeconds})
      group by c.file_id, f.project_id
    ), recent_projects as (
      select project_id, max(claimed_at) as claimed_at from recent group by project_id
    ), next as (
      select chunk.rendition_id, chunk.number, ${isAwaitedNow} as is_awaited_now,
        ${mayContinue}::boolean and ${canContinue} as may_continue
      from on_demand_chunks chunk
      join renditions r on r.id = chunk.rendition_id
      join media_files f on f.id = r.file_id and ${isServed}
      left join recent_projects project on project.project_id = f.project_id
      left join recent file on file.file_id = f.id
      where ${isClaimable} and (${isAwaitedNow} or not (${isAwaitedOnly}::boolean or ${isTakenNext}))
      order by is_awaited_now desc, ${isWantedSoon} desc, project.claimed_at nulls first,
        (${isPlayedOnFirst}::boolean and ${isPlayedOn}) desc, file.claimed_at nulls first, chunk.wanted_at, chunk.number
      limit 1 for no key update of chunk skip locked
    ), wanted as (
      select chunk.number - next.number as distance, row_number() over (order by chunk.number) as place
      from next join on_demand_chunks chunk on chunk.rendition_id = next.rendition_id
        and chunk.number between next.number + 1 and next.number + ${mostFollowers}
      where ${isClaimable}
    ), others as (
      select from next join on_demand_chunks chunk
        on (chunk.rendition_id, chunk.number) <> (next.rendition_id, next.number)
      where ${isClaimable} and ${isAwaitedNow}
    ), run as (
      -- The chunks ahead of a viewer who waits are wanted only when an encoder has begun. A run that is to end for others who
      -- wait would decode some frames in vain.
      select case when not may_continue or exists (select from others) then 0 when is_awaited_now then ${mostFollowers}
        else (select count(*) from wanted where distance = place) end::int as followers
      from next
    )
    update on_demand_chunks chunk
    set state = 'claimed', claim = ${claim}, leased_until = ${leaseEnd}, claimed_at = now(), attempt = chunk.attempt + 1,
      continues = run.followers > 0
    from next, run where chunk.rendition_id = next.rendition_id and chunk.number = next.number
    returning chunk.rendition_id, chunk.number, chunk.attempt, chunk.failures, run.followers,
      next.is_awaited_now as is_awaited`.execute(kysely)
  const [row] = rows
  if (row === undefined) return null
  const { rendition_id: renditionId, is_awaited: isAwaited, ...chunk } = row
  return { renditionId, ...chunk, claim, urgency: isAwaited ? 'awaited' : 'ahead' }
}

/**
 * Leases the chunk after one that is ready, so that its encoder continues. Returns null when it is not wanted or has an
 * encoder, and when others go first: with a chunk of this viewer, viewers of other projects who wait; with a chunk ahead, all
 * who wait; with one of a download, all viewers. With `isAwaitedOnly`, a viewer must wait for it.
 */
export const claimNextChunk = async (
  { kysely }: Database,
  { renditionId, number, followers }: ClaimedChunk,
  { isAwaitedOnly }: Pick<ClaimOrder, 'isAwaitedOnly'>,
): Promise<ClaimedChunk | null> => {
  if (followers === 0) return null
  const claim = randomUUID()
  const { rows } = await sql<Omit<ClaimedRow, 'rendition_id'> & { is_awaited: boolean }>`
    with claimable as (
      select chunk.rendition_id, chunk.number, f.project_id, ${isAwaitedNow} as is_awaited, ${isWantedSoon} as is_soon
      from on_demand_chunks chunk
      join renditions r on r.id = chunk.rendition_id
      join media_files f on f.id = r.file_id and ${isServed}
      where ${isClaimable}
    ), own as (
      select * from claimable where rendition_id = ${renditionId} and number = ${number + 1}
    )
    update on_demand_chunks chunk
    set state = 'claimed', claim = ${claim}, leased_until = ${leaseEnd}, claimed_at = now(), attempt = chunk.attempt + 1,
      continues = ${followers > 1}
    from own
    where chunk.rendition_id = own.rendition_id and chunk.number = own.number and ${isClaimable}
      and (own.is_awaited or not ${isAwaitedOnly}::boolean)
      and not exists (
        select from claimable other
        where (other.is_awaited and (other.project_id <> own.project_id or not own.is_awaited))
          or (other.is_soon and not (own.is_soon or own.is_awaited) and other.rendition_id <> own.rendition_id)
      )
    returning chunk.number, chunk.attempt, chunk.failures, own.is_awaited`.execute(kysely)
  const [row] = rows
  if (row === undefined) return null
  const { is_awaited: isAwaited, ...chunk } = row
  return { renditionId, ...chunk, claim, followers: followers - 1, urgency: isAwaited ? 'awaited' : 'ahead' }
}

/** How a chunk is encoded: while a viewer waits for it, ahead of a viewer, or because workers have nothing else to do. */
export type ChunkUrgency = 'awaited' | 'ahead' | 'idle'

const isOtherCodec = sql`r.codec not like 'avc%'`

/** Evicted rungs are left alone until they are watched again. */
const isFilled = sql`(
  o.watched_at is not null
  or not exists (select from evicted_renditions e where e.rendition_id = o.rendition_id and not e.is_relisted)
)`

/**
 * Returns the rung to fill next. Rungs that were watched come first, then the oldest ones; among each, H.264 comes before HEVC and
 * AV1. With LadderMode `on-demand`, only watched HEVC and AV1 rungs are filled. Reads all rungs (0.1 s for 20,000), so it is called
 * once for all chunks of a rung.
 */
export const findRungToFill = async (
  { kysely }: Database,
  skippedIds: readonly number[],
): Promise<number | null> => {
  const { rows } = await sql<{ rendition_id: number }>`
    select o.rendition_id
    from renditions r
    join on_demand_renditions o on o.rendition_id = r.id
    join media_files f on f.id = r.file_id and ${isServed}
    where (f.ladder_mode = 'auto' or (o.watched_at is not null and ${isOtherCodec}))
      and ${isFilled} and o.rendition_id <> all(${[...skippedIds]}::bigint[])
    order by o.watched_at is null, ${isOtherCodec}, o.watched_at desc, o.rendition_id
    limit 1`.execute(kysely)
  return rows[0]?.rendition_id ?? null
}

/** Leases the first absent chunk of a rung, and the same one of the other rungs of its file in its codec. */
export const claimFillingChunks = async ({ kysely }: Database, rungId: number): Promise<ClaimedChunk[]> => {
  const claim = randomUUID()
  const codecOf = sql`split_part(r.codec, '.', 1)`
  const isAbsent = sql`not exists (
    select from on_demand_chunks c
    where c.rendition_id = o.rendition_id and c.number = number.number
      and (c.state = 'ready' or c.leased_until >= now() or c.failures >= ${mostFailures})
  )`
  const { rows } = await sql<ClaimedRow>`
    with rung as (
      select o.rendition_id, o.account_id, o.file_id, o.chunk_count, r.generation, ${codecOf} as codec
      from on_demand_renditions o
      join renditions r on r.id = o.rendition_id
      join media_files f on f.id = r.file_id and ${isServed}
      where o.rendition_id = ${rungId}
    ), absent as (
      select o.*, number from rung o, generate_series(0, o.chunk_count - 1) number
      where ${isAbsent}
      order by number limit 1
    )
    insert into on_demand_chunks as chunk
      (rendition_id, number, account_id, file_id, wanted_until, state, claim, leased_until, attempt)
    select o.rendition_id, number.number, o.account_id, o.file_id, now(), 'claimed', ${claim}, ${leaseEnd}, 1
    from absent number
    join on_demand_renditions o on o.account_id = number.account_id and o.file_id = number.file_id
    join renditions r on r.id = o.rendition_id and r.state = 'on_demand' and r.generation = number.generation
      and ${codecOf} = number.codec
    where number.number < o.chunk_count and ${isAbsent} and ${isFilled}
    order by o.rendition_id
    on conflict (rendition_id, number) do update set state = 'claimed', claim = excluded.claim,
      leased_until = excluded.leased_until, attempt = chunk.attempt + 1, continues = false
    where chunk.state <> 'ready' and coalesce(chunk.leased_until < now(), true)
    returning rendition_id, number, attempt, failures`.execute(kysely)
  return rows.map(({ rendition_id: renditionId, number, attempt, failures }) => ({
    ...{ renditionId, number, claim, attempt, failures, followers: 0 },
    urgency: 'idle',
  }))
}

const heldBy = ({ renditionId, number, claim }: ClaimedChunk) => ({
  rendition_id: renditionId,
  number,
  claim,
  state: 'claimed' as const,
})

/** Returns false when another encoder has the chunk, or the rendition is gone. */
export const renewChunk = async ({ kysely }: Database, chunk: ClaimedChunk): Promise<boolean> => {
  const { numUpdatedRows } = await kysely
    .updateTable('on_demand_chunks')
    .set({ leased_until: leaseEnd })
    .where((eb) => eb.and(heldBy(chunk)))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks a chunk as ready, and counts its seconds if viewers wanted it. Returns false when another encoder has claimed it. */
export const finishOnDemandChunk = (
  database: Database,
  chunk: ClaimedChunk,
  made: {
    readonly segment: MadeSegment
    readonly seconds: number
    readonly file: OnDemandRendition['file']
    /** What earlier claims may have stored. */
    readonly earlierBlobs: readonly string[]
  },
): Promise<boolean> =>
  database.transaction(async (tx) => {
    await lockRung(tx, chunk.renditionId)
    const { numUpdatedRows } = await tx
      .updateTable('on_demand_chunks')
      .set({ state: 'ready', claim: null, leased_until: null, segment: JSON.stringify(made.segment) })
      .where((eb) => eb.and(heldBy(chunk)))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (made.earlierBlobs.length > 0) await discardBlobs(tx, made.file, made.earlierBlobs)
    // Also when it is not settled yet: this waits for a run that settles it at the moment.
    await tx
      .updateTable('on_demand_renditions')
      .set({ is_settled: false, made_at: sql<Date>`now()` })
      .where('rendition_id', '=', chunk.renditionId)
      .execute()
    if (chunk.urgency === 'idle') return true
    await sql`
      insert into on_demand_days as days (account_id, project_id, day, encoded_seconds)
      values (${made.file.account_id}, ${made.file.project_id}, (now() at time zone 'utc')::date, ${made.seconds})
      on conflict (account_id, project_id, day) do update
        set encoded_seconds = days.encoded_seconds + excluded.encoded_seconds`.execute(tx)
    return true
  })

/** Ends the claim of a chunk. With `not_served`, the chunk is no longer wanted either. */
export const releaseChunk = async (
  { kysely }: Database,
  chunk: ClaimedChunk,
  reason: 'failed' | 'interrupted' | 'not_served',
): Promise<void> => {
  await kysely
    .updateTable('on_demand_chunks')
    .set((eb) => ({
      state: 'absent',
      claim: null,
      leased_until: null,
      ...(reason === 'failed' && { failures: eb('failures', '+', 1) }),
      ...(reason === 'not_served' && { wanted_until: sql<Date>`now()` }),
    }))
    .where((eb) => eb.and(heldBy(chunk)))
    .execute()
}

/** Frees the chunks of workers that are gone, before the only worker of an installation begins. */
export const releaseOrphanedChunks = async ({ kysely }: Database): Promise<void> => {
  await kysely
    .updateTable('on_demand_chunks')
    .set({ state: 'absent', claim: null, leased_until: null })
    .where('state', '=', 'claimed')
    .execute()
}

export interface OnDemandRendition {
  readonly plan: OnDemandPlan
  readonly rendition: Pick<
    RenditionRow,
    'id' | 'name' | 'media_blob' | 'timescale' | 'segments' | 'size_bytes' | 'has_closed_captions'
  >
  readonly file: Pick<MediaFileRow, 'id' | 'account_id' | 'project_id'>
}

/** Returns the rung while it is encoded on demand and viewers of the current revision can request it. */
export const findOnDemandRendition = async (
  queryable: Queryable,
  renditionId: number,
): Promise<OnDemandRendition | null> => {
  const row = await queryable
    .selectFrom('on_demand_renditions as o')
    .innerJoin('renditions as r', 'r.id', 'o.rendition_id')
    .innerJoin('media_files', 'media_files.id', 'r.file_id')
    .select(['o.plan', 'r.id', 'r.name', 'r.media_blob', 'r.timescale', 'r.segments', 'r.size_bytes'])
    .select(['r.has_closed_captions', 'r.file_id', 'r.account_id', 'media_files.project_id'])
    .where('o.rendition_id', '=', renditionId)
    .where('r.state', '=', 'on_demand')
    .whereRef('r.generation', '=', 'media_files.generation')
    .where('media_files.deleted_at', 'is', null)
    .where(isOfLiveProject)
    .executeTakeFirst()
  if (row === undefined) return null
  const { plan, file_id, account_id, project_id, ...rendition } = row
  return {
    plan: plan as unknown as OnDemandPlan,
    rendition,
    file: { id: file_id, account_id, project_id },
  }
}

export interface ReadyChunk {
  readonly number: number
  readonly attempt: number
  readonly segment: MadeSegment
}

export const readyChunksOf = async (queryable: Queryable, renditionId: number): Promise<ReadyChunk[]> => {
  const rows = await queryable
    .selectFrom('on_demand_chunks')
    .select(['number', 'attempt', 'segment'])
    .where('rendition_id', '=', renditionId)
    .where('state', '=', 'ready')
    .orderBy('number')
    .execute()
  return rows.map(({ segment, ...chunk }) => ({ ...chunk, segment: segment as unknown as MadeSegment }))
}
