import { isH264, type RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import type { Database } from '../../platform/db/database.ts'

type Offered = Pick<RenditionRow, 'file_id' | 'state' | 'size_bytes' | 'codec'>

const isCold = ({ state, size_bytes }: Offered): boolean => state === 'on_demand' && size_bytes === 0

/** An encoder of HEVC or AV1 takes too long for a viewer who waits. */
const isMadeInTime = (rendition: Offered): boolean => rendition.state !== 'on_demand' || isH264(rendition)

/**
 * Leaves out rungs on which a viewer would wait: HEVC and AV1 until they are complete, and rungs of which nothing is encoded
 * while encoders are late for the project, or when nothing more is encoded today. The renditions may be those of several files.
 */
export const offeredRenditions = async <T extends Offered>(
  { sql }: Database,
  all: readonly T[],
  secondsPerDay: number,
): Promise<readonly T[]> => {
  const renditions = all.filter(isMadeInTime)
  const coldFiles = new Set(renditions.filter(isCold).map(({ file_id }) => file_id))
  if (coldFiles.size === 0) return renditions
  const rows = await sql<{ file_id: number }[]>`
    select f.id::float8 as file_id
    from media_files f
    left join on_demand_days d on d.project_id = f.project_id and d.day = (now() at time zone 'utc')::date
    where f.id = any(${[...coldFiles]}::bigint[]) and (
      (${secondsPerDay}::float8 > 0 and d.encoded_seconds >= ${secondsPerDay}::float8)
      or exists (
        select from on_demand_chunks c
        join media_files late on late.id = c.file_id and late.project_id = f.project_id
        where c.state <> 'ready' and c.wanted_until > now() and c.awaited_until > now()
          and c.wanted_at < now() - interval '2 seconds' and coalesce(c.leased_until < now(), true)
      )
    )`
  const withoutCold = new Set(rows.map(({ file_id }) => file_id))
  return withoutCold.size === 0
    ? renditions
    : renditions.filter((one) => !isCold(one) || !withoutCold.has(one.file_id))
}
