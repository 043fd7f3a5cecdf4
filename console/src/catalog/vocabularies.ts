import { zoetrope } from '../shell/api.ts'

export type Entry = Awaited<ReturnType<typeof zoetrope.categories.get>>

interface Body {
  readonly Label: string
  readonly CustomId: string
}

interface EntryPage {
  readonly entries: readonly Entry[]
  readonly TotalCount: number
  readonly NextCursor: string | null
}

export interface Vocabulary {
  readonly name: 'categories' | 'videotypes' | 'shares'
  readonly list: (query: Readonly<Record<string, string | number>>, signal: AbortSignal) => Promise<EntryPage>
  readonly create: (body: Body) => Promise<Entry>
  readonly update: (id: number, body: Body) => Promise<Entry>
  readonly remove: (id: number) => Promise<unknown>
}

const pageOf = (
  entries: readonly Entry[],
  { TotalCount, NextCursor }: Omit<EntryPage, 'entries'>,
): EntryPage => ({ entries, TotalCount, NextCursor })

/** The three vocabularies of the account, which differ only in their names. */
export const vocabularies: readonly Vocabulary[] = [
  {
    name: 'categories',
    list: async (query, signal) => {
      const page = await zoetrope.categories.list(query, { signal })
      return pageOf(page.Categories, page)
    },
    create: (body) => zoetrope.categories.create(body),
    update: (id, body) => zoetrope.categories.update(id, body),
    remove: (id) => zoetrope.categories.delete(id),
  },
  {
    name: 'videotypes',
    list: async (query, signal) => {
      const page = await zoetrope.videotypes.list(query, { signal })
      return pageOf(page.Videotypes, page)
    },
    create: (body) => zoetrope.videotypes.create(body),
    update: (id, body) => zoetrope.videotypes.update(id, body),
    remove: (id) => zoetrope.videotypes.delete(id),
  },
  {
    name: 'shares',
    list: async (query, signal) => {
      const page = await zoetrope.shares.list(query, { signal })
      return pageOf(page.Shares, page)
    },
    create: (body) => zoetrope.shares.create(body),
    update: (id, body) => zoetrope.shares.update(id, body),
    remove: (id) => zoetrope.shares.delete(id),
  },
]
