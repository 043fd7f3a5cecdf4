import { Button, Group, MultiSelect, Progress, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { eventNames } from '@zoetrope/vocabulary'
import { zoetrope } from '../../shell/api.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { fieldErrors } from '../../ui/field-errors.ts'
import { formatNumber } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'

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

export const ReplayPanel = ({ webhookId }: { readonly webhookId: number }) => {
  const t = useTexts('notifications.replayPanel')
  const [from, setFrom] = useState(() => toLocal(Date.now() - dayMs))
  const [to, setTo] = useState('')
  const [events, setEvents] = useState<string[]>([])
  const replay = useMutation({
    mutationFn: () =>
      zoetrope.webhooks.replay(webhookId, {
        From: toInstant(from),
        ...(to === '' ? {} : { To: toInstant(to) }),
        ...(events.length === 0 ? {} : { Events: events }),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.events }),
  })
  const errors = fieldErrors(replay.error)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    replay.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={700}>
        <Text>{t('about')}</Text>
        <ProblemAlert error={replay.error} />
        <Group grow align="flex-start">
          <TextInput
            type="datetime-local"
            label={t('from')}
            required
            value={from}
            error={errors['From']}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
          <TextInput
            type="datetime-local"
            label={t('to')}
            value={to}
            error={errors['To']}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </Group>
        <MultiSelect
          label={t('events')}
          searchable
          clearable
          data={[...eventNames]}
          value={events}
          error={errors['Events']}
          onChange={setEvents}
        />
        <Group>
          <Button type="submit" loading={replay.isPending}>
            {t('start')}
          </Button>
        </Group>
        {replay.data !== undefined && <ReplayProgress webhookId={webhookId} replayId={replay.data.Id} />}
      </Stack>
    </form>
  )
}
