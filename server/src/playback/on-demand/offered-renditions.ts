import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import type { Database } from '../../platform/db/database.ts'

const isCold = ({ state, size_bytes }: Pick<RenditionRow, 'state' | 'size_bytes'>): boolean =>
  state === 'on_demand' && size_bytes === 0

/**
 * Leaves out rungs of which nothing is encoded while encoders are late, or when nothing more is encoded today: a viewer who
 * began one of them would wait.
 */
export const offeredRenditions = async (
  { sql }: Database,
  renditions: readonly RenditionRow[],
  secondsPerDay: number,
): Promise<readonly RenditionRow[]> => {
  const cold = renditions.find(isCold)
  if (cold === undefined) return renditions
  const [row] = await sql<{ is_late: boolean; seconds: number }[]>`
    select exists (
        select from on_demand_chunks
        where state <> 'ready' and is_awaited and wanted_until > now() and wanted_at < now() - interval '2 seconds'
          and coalesce(leased_until < now(), true)
      ) as is_late,
      coalesce((
        select encoded_seconds from on_demand_days d join media_files f on f.project_id = d.project_id
        where f.id = ${cold.file_id} and d.day = (now() at time zone 'utc')::date
      ), 0)::float8 as seconds`
  const { is_late: isLate = false, seconds = 0 } = row ?? {}
  const isOver = secondsPerDay > 0 && seconds >= secondsPerDay
  return isLate || isOver ? renditions.filter((one) => !isCold(one)) : renditions
}
