import type { MediaFile } from '@zoetrope/sdk'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { isShownEvent, useEventTitle } from './event-names.ts'

const shownCount = 5

/** The latest events. Nothing while there are none. */
export const RecentActivity = ({
  file,
  onShowAll,
}: {
  readonly file: MediaFile
  readonly onShowAll: () => void
}) => {
  const t = useTexts('file.overview')
  const titleOf = useEventTitle()
  const { data: events = [] } = useQuery({
    queryKey: [...queryKeys.events, 'of file', file.Id, 'latest'],
    queryFn: async ({ signal }) => {
      const query = { fileId: String(file.Id), event: 'file.*', limit: shownCount }
      return (await zoetrope.events.list(query, { signal })).Events
    },
  })
  const shown = events.filter(isShownEvent)
  if (shown.length === 0) return null
  return (
    <Section
      title={t('activity')}
      actions={
        <Button size="xs" variant="default" onClick={onShowAll}>
          {t('allActivity')}
        </Button>
      }
    >
      <ul className="file-activity">
        {shown.map(({ EventId, Event, OccurredAt }) => (
          <li key={EventId}>
            <Text size="sm">{titleOf(Event)}</Text>
            <Text size="sm" c="dimmed">
              <RelativeTime instant={OccurredAt} />
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  )
}
