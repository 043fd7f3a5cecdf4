import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { soonSeconds } from '../../../../library/files/on-demand/wanted-rungs.ts'
import type { Database } from '../../../../platform/db/database.ts'
import { isServed, leaseEnd, mostFailures, type ClaimedChunk, type ClaimedRow } from './claimed-chunk.ts'

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
/** Other encoders skip this chunk, because the encoder of the chunk before it takes it next. */
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
  /** Whether the run may continue with the chunks after this one. `after_start` = not for a viewer who begins to play here. */
  readonly mayContinue: 'always' | 'after_start' | 'never'
  /**
   * Whether, in a project, viewers who continue to play a rung go first, because others can play the source or the lowest rung.
   * If all claims did this, others could wait without end.
   */
  readonly isPlayedOnFirst: boolean
}

const usualOrder: ClaimOrder = { isAwaitedOnly: false, mayContinue: 'never', isPlayedOnFirst: true }

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
        ${mayContinue !== 'never'}::boolean and ${canContinue}
          and (${mayContinue === 'always'}::boolean or not ${isAwaitedNow} or ${isPlayedOn}) as may_continue
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
      -- Chunks ahead of a viewer who waits are wanted only after an encoder has begun. While others wait, a run ends after its
      -- first chunk, so it does not decode frames of the next one.
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
 * Leases the chunk after one that is ready, so that its encoder continues. Returns null when the chunk is not wanted, has an
 * encoder, or others go first. Viewers of other projects who wait go before a chunk for which a viewer waits. All viewers who
 * wait go before a chunk ahead of a viewer. Everything that viewers want goes before a chunk of a download. With
 * `isAwaitedOnly`, also returns null if no viewer waits for the chunk.
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
