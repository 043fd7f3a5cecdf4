import type { ApiRecord, Output } from '../output/output.ts'

/** The largest page size of the API. */
const pageSize = 500

/**
 * Merges all pages into one response. Each page follows the cursor of the previous one, so no record is
 * skipped or repeated.
 */
export const walkPages = async (
  page: (query: object) => Promise<ApiRecord>,
  listKey: string,
  output: Output,
): Promise<ApiRecord> => {
  const first = await page({ limit: pageSize })
  const records = [...(first[listKey] as unknown[])]
  let cursor = first['NextCursor']
  while (typeof cursor === 'string') {
    output.progress(`${records.length} of ${String(first['TotalCount'])}`)
    const next = await page({ limit: pageSize, offset: undefined, cursor })
    records.push(...(next[listKey] as unknown[]))
    cursor = next['NextCursor']
  }
  output.progress('')
  return { ...first, [listKey]: records, TotalCount: records.length, Limit: records.length, NextCursor: null }
}
