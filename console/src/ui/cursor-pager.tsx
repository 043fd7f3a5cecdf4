import { Button, Group, Text } from '@mantine/core'
import { defineWords } from '../shell/words.ts'
import { formatNumber } from './format.ts'

const useWords = defineWords('cursor-pager', {
  en: {
    total_one: '{{shown}} in all',
    total_other: '{{shown}} in all',
    first: 'First page',
    next: 'Next page',
  },
  de: {
    total_one: 'Insgesamt {{shown}}',
    total_other: 'Insgesamt {{shown}}',
    first: 'Erste Seite',
    next: 'Nächste Seite',
  },
})

/** Below a list that is paged by the cursors of the API; the way back is that of the browser. */
export const CursorPager = ({
  total,
  cursor,
  nextCursor,
  onGo,
}: {
  readonly total: number
  /** Of this page. */
  readonly cursor: string | undefined
  readonly nextCursor: string | null
  readonly onGo: (cursor: string | undefined) => void
}) => {
  const t = useWords()
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {t('total', { count: total, shown: formatNumber(total) })}
      </Text>
      {(cursor !== undefined || nextCursor !== null) && (
        <Group gap="xs">
          <Button variant="default" disabled={cursor === undefined} onClick={() => onGo(undefined)}>
            {t('first')}
          </Button>
          <Button
            variant="default"
            disabled={nextCursor === null}
            onClick={() => onGo(nextCursor ?? undefined)}
          >
            {t('next')}
          </Button>
        </Group>
      )}
    </Group>
  )
}
