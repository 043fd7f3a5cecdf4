import type { MediaFile } from '@zoetrope/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatMetric } from '../analytics/metrics.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useShownColumns } from '../ui/lists/table-columns.tsx'

/** Values of a metric in the last 30 days by the id of the file. Undefined while they load. */
export type Figures = ReadonlyMap<string, number | null> | undefined

type Name = 'views' | 'watchtime'

const columns = (['views', 'watchtime'] as const).map((key) => ({
  ...{ key, header: key, hideable: true, isHiddenAtFirst: true },
}))

/** One request for all files of the page, and none while the column is hidden. */
export const useFigures = (name: Name, files: readonly MediaFile[]): Figures => {
  const { shown } = useShownColumns('library', columns)
  const ids = files.map(({ Id }) => Id)
  const { data } = useQuery({
    queryKey: [...queryKeys.analytics, 'library', name, ids],
    queryFn: async ({ signal }) => {
      const query = { groupBy: 'file', fileId: ids.join(','), limit: ids.length } as const
      const { Buckets } = await zoetrope.analytics.get(name, query, { signal })
      return new Map(Buckets.map(({ Key, Value }) => [Key ?? '', Value]))
    },
    enabled: ids.length > 0 && shown.some(({ key }) => key === name),
    placeholderData: keepPreviousData,
  })
  return data
}

/** A file without views has no value. */
export const formatFigure = (name: Name, figures: Figures, id: number): string =>
  figures === undefined ? '…' : formatMetric(name, figures.get(String(id)) ?? 0)
