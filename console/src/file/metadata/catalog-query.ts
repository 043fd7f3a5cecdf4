import { queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'

interface Choice {
  readonly Id: number
  readonly Label: string
}

const catalogNames = ['Category', 'Videotype', 'Share', 'IABCategory'] as const
export type CatalogName = (typeof catalogNames)[number]

export const isCatalogName = (name: string): name is CatalogName => catalogNames.some((one) => one === name)

const byLabel = { limit: 500, orderBy: 'label', sort: 'asc' } as const

const choicesOf = (name: CatalogName) => {
  switch (name) {
    case 'Category':
      return zoetrope.categories.list(byLabel)
    case 'Videotype':
      return zoetrope.videotypes.list(byLabel)
    case 'Share':
      return zoetrope.shares.list(byLabel)
    case 'IABCategory':
      return zoetrope.iabCategories.list(byLabel)
  }
}

export const catalogQuery = (name: CatalogName) =>
  queryOptions({
    queryKey: [...queryKeys.catalog, name, 'all'],
    queryFn: async (): Promise<Choice[]> => {
      const choices: Choice[] = []
      for await (const { Id, Label } of choicesOf(name)) choices.push({ Id, Label })
      return choices
    },
  })
