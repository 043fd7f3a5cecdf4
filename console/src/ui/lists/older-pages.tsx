import { Button } from '@mantine/core'
import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'
import { useTexts } from '../../shell/texts.ts'

interface Page {
  readonly NextCursor: string | null
}

/** A list that grows by older pages. */
export const olderPages = <P extends Page>(
  queryKey: QueryKey,
  limit: number,
  read: (query: { limit: number; cursor?: string }, options: { signal: AbortSignal }) => Promise<P>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      read({ limit, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ NextCursor }: Page) => NextCursor,
  })

export const OlderButton = ({
  list: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  /** Result of `useInfiniteQuery`. */
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
}) => {
  const t = useTexts('ui.olderPages')
  if (!hasNextPage) return null
  return (
    <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {t('older')}
    </Button>
  )
}
