import { queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'

const atOnce = { limit: 500 } as const

export const catalogLabels = (kind: 'categories' | 'videotypes') =>
  queryOptions({
    queryKey: [...queryKeys.catalog, kind, 'labels'],
    queryFn: async ({ signal }) => {
      if (kind === 'categories') return (await zoetrope.categories.list(atOnce, { signal })).Categories
      return (await zoetrope.videotypes.list(atOnce, { signal })).Videotypes
    },
  })
