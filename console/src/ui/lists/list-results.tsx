import { useRouter } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { watchBack } from '../hooks/row-focus.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import { Pager, type PagePlace, type PageSizes } from './pager.tsx'
import { ProblemAlert } from '../problem-alert.tsx'

/** One page of a list: the placeholder while it loads, an error, the empty state, the entries and the pager. */
export const ListResults = <Page extends { TotalCount: number; NextCursor: string | null }, Entry>({
  list: { data, error, isPending, refetch },
  entriesOf,
  place,
  limit,
  pageSizes,
  onGo,
  empty,
  skeleton = <ListSkeleton />,
  children,
}: {
  readonly list: {
    readonly data: Page | undefined
    readonly error: unknown
    readonly isPending: boolean
    readonly refetch: () => Promise<unknown>
  }
  readonly entriesOf: (page: Page) => readonly Entry[]
  readonly place: PagePlace
  readonly limit: number
  /** Offers to change the limit. */
  readonly pageSizes?: PageSizes
  readonly onGo: (place: Required<PagePlace>) => void
  /** Shown when no entry matches. */
  readonly empty?: ReactNode
  readonly skeleton?: ReactNode
  readonly children: (entries: readonly Entry[]) => ReactNode
}) => {
  const { history } = useRouter()
  useEffect(() => watchBack(history), [history])
  const entries = data === undefined ? [] : entriesOf(data)
  return (
    <>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {isPending && skeleton}
      {data?.TotalCount === 0 && empty}
      {entries.length > 0 && children(entries)}
      {data !== undefined && (
        <Pager
          place={place}
          limit={limit}
          shown={entries.length}
          total={data.TotalCount}
          nextCursor={data.NextCursor}
          pageSizes={pageSizes}
          onGo={onGo}
        />
      )}
    </>
  )
}
