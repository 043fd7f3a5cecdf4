import { Button, Group, MultiSelect, Progress, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { eventNames } from '@zoetrope/vocabulary'
import { zoetrope } from '../../shell/api.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { formatNumber } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'

/** The browser field uses the local time of this machine. */
const toInstant = (local: string): string => new Date(local).toISOString()

/** Formats an instant for the browser field. */
const toLocal = (instant: number): string =>
  new Date(instant - new Date(instant).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const pollMs = 700

const ReplayProgress = ({
  webhookId,
  replayId,
}: {
  readonly webhookId: number
  readonly replayId: number
}) => {
  const t = useTexts('notifications.replayPanel')
  const { data: replay, error } = useQuery({
    queryKey: [...queryKeys.webhook(webhookId), 'replays', replayId],
    queryFn: ({ signal }) => zoetrope.webhooks.getReplay(webhookId, replayId, { signal }),
    refetchInterval: ({ state }) => (state.data?.FinishedAt == null ? pollMs : false),
  })
  if (replay === undefined) return <ProblemAlert error={error} />
  const { Status, EventCount, DeliveryCount, SkippedCount } = replay
  const values = {
    count: EventCount,
    made: formatNumber(DeliveryCount + SkippedCount),
    all: formatNumber(EventCount),
    skipped: formatNumber(SkippedCount),
  }
  const percent = EventCount === 0 ? 100 : (100 * (DeliveryCount + SkippedCount)) / EventCount
  return (
    <Stack gap="xs">
      <Progress value={Status === 'finished' ? 100 : percent} aria-label={t('progress')} />
      <Text role="status">{t(Status, values)}</Text>
    </Stack>
  )
}

const dayMs = 86_400_000

const lastDay = (): { From: string; To: string; Events: string[] } => ({
  From: toLocal(Date.now() - dayMs),
  To: '',
  Events: [],
})

export const ReplayPanel = ({ webhookId }: { readonly webhookId: number }) => {
  const t = useTexts('notifications.replayPanel')
  const form = useSaveForm({
    initialValues: lastDay(),
    save: ({ From, To, Events }) =>
      zoetrope.webhooks.replay(webhookId, {
        From: toInstant(From),
        ...(To === '' ? {} : { To: toInstant(To) }),
        ...(Events.length === 0 ? {} : { Events }),
      }),
    onSaved: () => queryClient.invalidateQueries({ queryKey: queryKeys.events }),
  })
  const { saving } = form
  return (
    <form onSubmit={form.submit}>
      <Stack maw={700}>
        <Text>{t('about')}</Text>
        <ProblemAlert error={form.problem} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput type="datetime-local" label={t('from')} required {...form.getInputProps('From')} />
          <TextInput type="datetime-local" label={t('to')} {...form.getInputProps('To')} />
        </SimpleGrid>
        <MultiSelect
          label={t('events')}
          searchable
          clearable
          data={[...eventNames]}
          {...form.getInputProps('Events')}
        />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {t('start')}
          </Button>
        </Group>
        {saving.data !== undefined && <ReplayProgress webhookId={webhookId} replayId={saving.data.Id} />}
      </Stack>
    </form>
  )
}
