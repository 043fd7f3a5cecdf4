import { Button, Group, Modal, Stack, Switch, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { formatNumber } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { reloadWebhooks, type Webhook } from '../webhook-queries.ts'

interface Question {
  readonly isEnabled: boolean
  readonly waitingCount: number
}

/** Asks what to do with waiting deliveries, if there are any. */
export const EnableSwitch = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.enableWebhook')
  const [question, setQuestion] = useState<Question | null>(null)
  const save = useMutation({
    mutationFn: ({ IsEnabled, discard }: { IsEnabled: boolean; discard: boolean }) =>
      zoetrope.webhooks.update(webhook.Id, { IsEnabled }, {}, discard ? { discard } : {}),
    onSuccess: (saved) => {
      setQuestion(null)
      queryClient.setQueryData(queryKeys.webhook(webhook.Id), saved)
      void reloadWebhooks()
    },
  })
  const ask = useMutation({
    mutationFn: async (IsEnabled: boolean) => {
      const { WaitingCount } = await zoetrope.webhooks.health(webhook.Id)
      if (WaitingCount === 0) save.mutate({ IsEnabled, discard: false })
      else setQuestion({ isEnabled: IsEnabled, waitingCount: WaitingCount })
    },
  })
  const isEnabling = question?.isEnabled ?? !webhook.IsEnabled
  const count = question?.waitingCount ?? 0
  const choose = (discard: boolean): void => save.mutate({ IsEnabled: isEnabling, discard })
  return (
    <>
      {question === null && <ProblemAlert error={ask.error ?? save.error} />}
      <Switch
        label={t('enabled')}
        checked={webhook.IsEnabled}
        disabled={ask.isPending || save.isPending}
        onChange={({ currentTarget }) => ask.mutate(currentTarget.checked)}
      />
      <Modal
        opened={question !== null}
        onClose={() => setQuestion(null)}
        title={isEnabling ? t('enable') : t('disable')}
        size="lg"
      >
        <Stack>
          <Text>{t(isEnabling ? 'enableText' : 'disableText', { count, shown: formatNumber(count) })}</Text>
          {!isEnabling && <Text size="sm">{t('missed')}</Text>}
          <ProblemAlert error={save.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setQuestion(null)}>
              {t('cancel')}
            </Button>
            <Button variant="outline" color="red" disabled={save.isPending} onClick={() => choose(true)}>
              {isEnabling ? t('discardEnable') : t('discardDisable')}
            </Button>
            <Button loading={save.isPending} onClick={() => choose(false)} data-autofocus>
              {isEnabling ? t('send') : t('keep')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
