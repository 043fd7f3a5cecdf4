import type { MediaFile } from '@zoetrope/sdk'
import { Badge, Button, Code, Group, Stack, Text, Timeline } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { faultText } from '../file-fault.ts'
import { useFieldLabel } from '../metadata/field-text.tsx'
import { deliveriesQuery } from './event-deliveries.ts'
import { isShownEvent, useEventTitle } from './event-names.ts'
import { changesBetween } from './record-changes.ts'

const colors = {
  pending: 'blue',
  waiting: 'blue',
  delivered: 'green',
  failed: 'red',
  cancelled: 'gray',
} as const

/** The label of a field, as the screen of the file shows it. */
const useChangeLabel = (): ((name: string) => string) => {
  const sections = useTexts('file.sections')
  const pictures = useTexts('file.pictures')
  const fieldLabel = useFieldLabel()
  return (name) => {
    if (name === 'Captions') return sections('captions')
    return name === 'StandardFilePicture' ? pictures('poster') : fieldLabel(name)
  }
}

export const HistoryPanel = ({ file }: { readonly file: MediaFile }) => {
  const t = useTexts('file.history')
  const titleOf = useEventTitle()
  const labelOf = useChangeLabel()
  const can = useCan()
  const history = useInfiniteQuery({
    queryKey: [...queryKeys.events, 'of file', file.Id],
    queryFn: async ({ signal, pageParam }) =>
      zoetrope.events.list(
        {
          fileId: String(file.Id),
          event: 'file.*',
          limit: 50,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ NextCursor }) => NextCursor,
  })
  const events = (history.data?.pages.flatMap(({ Events }) => Events) ?? []).filter(isShownEvent)
  const { data: deliveries } = useQuery({
    ...deliveriesQuery(file, events),
    enabled: can('webhooks:read') && events.length > 0,
    placeholderData: (before) => before,
  })
  return (
    <Stack>
      <Text size="sm">{t('text')}</Text>
      <ProblemAlert error={history.error} />
      {history.isSuccess && events.length === 0 && <Text>{t('none')}</Text>}
      <Timeline bulletSize={16} lineWidth={2} active={events.length} color="gray">
        {events.map((event, index) => {
          const older = events[index + 1]?.File
          const changes =
            event.Event === 'file.updated' && event.File && older ? changesBetween(older, event.File) : []
          return (
            <Timeline.Item
              key={event.EventId}
              title={
                <Group gap="xs">
                  <Text fw={500}>{titleOf(event.Event)}</Text>
                  <Code>{event.Event}</Code>
                </Group>
              }
            >
              <Text size="sm" c="dimmed">
                <RelativeTime instant={event.OccurredAt} />
              </Text>
              {event.Event === 'file.failed' && event.File?.ErrorMessage && (
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {faultText(event.File)}
                </Text>
              )}
              {changes.length > 0 && (
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {t('changed', { fields: changes.map(labelOf).join(', ') })}
                </Text>
              )}
              <Group gap={4} mt={4}>
                {deliveries?.get(event.EventId)?.map(({ Id, WebhookId, Status, target }) => (
                  <Badge
                    key={Id}
                    variant="dot"
                    color={colors[Status]}
                    style={{ cursor: 'pointer' }}
                    renderRoot={(props) => (
                      <Link
                        {...props}
                        to="/notifications/$webhookId"
                        params={{ webhookId: WebhookId }}
                        search={{ delivery: String(Id) }}
                      />
                    )}
                  >
                    {t('delivery', { target, status: t(Status) })}
                  </Badge>
                ))}
              </Group>
            </Timeline.Item>
          )
        })}
      </Timeline>
      {history.hasNextPage && (
        <Group>
          <Button
            variant="default"
            loading={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          >
            {t('more')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
