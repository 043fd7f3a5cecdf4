import { Button, Group, Select, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { formatNumber } from '../format.ts'
import { afterPaint } from '../hooks/after-paint.ts'

/** Position in a list: a cursor if known, because it is fast at any depth, else the page number. */
export type PagePlace = Readonly<Partial<Record<'page' | 'cursor', string | undefined>>>

/** Every changed filter returns here. */
export const firstPage = { page: undefined, cursor: undefined } satisfies PagePlace

export const pageOf = ({ page }: PagePlace): number => {
  const number = Number(page ?? 1)
  return Number.isSafeInteger(number) && number > 0 ? number : 1
}

export const pageQuery = (
  place: PagePlace,
  limit: number,
): { limit: number; cursor?: string; offset?: number } => {
  if (place.cursor !== undefined) return { limit, cursor: place.cursor }
  const offset = (pageOf(place) - 1) * limit
  return offset > 0 ? { limit, offset } : { limit }
}

/** Page sizes to choose from. The smallest is the default, which the URL omits. */
export interface PageSizes {
  readonly sizes: readonly number[]
  readonly onSize: (size: number) => void
}

const PagerShown = ({
  place,
  limit,
  shown,
  total,
  nextCursor,
  pageSizes,
  onGo,
}: {
  readonly place: PagePlace
  readonly limit: number
  readonly shown: number
  readonly total: number
  readonly nextCursor: string | null
  readonly pageSizes?: PageSizes | undefined
  /** Both keys are required, so that an undefined value is removed from the URL. */
  readonly onGo: (place: Required<PagePlace>) => void
}) => {
  const t = useTexts('ui.pager')
  /** The place that the user leaves: each place is another object. */
  const [left, setLeft] = useState<PagePlace | null>(null)
  const page = pageOf(place)
  const from = (page - 1) * limit
  if (total === 0) return null
  const range = {
    from: formatNumber(shown === 0 ? 0 : from + 1),
    to: formatNumber(from + shown),
    all: formatNumber(total),
  }
  const go = (to: Required<PagePlace>): void => {
    setLeft(place)
    afterPaint(() => onGo(to))
  }
  const turn = (to: number): void => go(to <= 1 ? firstPage : { ...firstPage, page: String(to) })
  return (
    <Group component="nav" aria-label={t('label')} justify="space-between">
      <Text size="sm" role="status" {...(left === place && { c: 'dimmed' })}>
        {t('range', range)}
      </Text>
      <Group gap="xs">
        {pageSizes !== undefined && total > Math.min(...pageSizes.sizes) && (
          <Select
            aria-label={t('size')}
            size="xs"
            w={140}
            allowDeselect={false}
            value={String(limit)}
            data={pageSizes.sizes.map((size) => ({ value: String(size), label: t('perPage', { size }) }))}
            onChange={(size) => pageSizes.onSize(Number(size))}
          />
        )}
        <Group gap="xs" display={page === 1 && nextCursor === null ? 'none' : undefined}>
          {page > 2 && (
            <Button variant="default" size="xs" onClick={() => turn(1)}>
              {t('first')}
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            disabled={page === 1}
            leftSection={<IconChevronLeft size={14} aria-hidden />}
            onClick={() => turn(page - 1)}
          >
            {t('previous')}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={nextCursor === null}
            rightSection={<IconChevronRight size={14} aria-hidden />}
            onClick={() => nextCursor !== null && go({ page: String(page + 1), cursor: nextCursor })}
          >
            {t('next')}
          </Button>
        </Group>
      </Group>
    </Group>
  )
}

/** A selection in the list does not render it again. */
export const Pager = memo(PagerShown)
