import { Button, Group, Modal, Stack, Switch, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryClient, queryKeys } from '../shell/query.ts'
import { defineWords } from '../shell/words.ts'
import { formatNumber } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import type { Webhook } from './webhook-queries.ts'

const useWords = defineWords('enable-webhook', {
  en: {
    enabled: 'Enabled',
    enable: 'Enable this webhook?',
    disable: 'Disable this webhook?',
    enableText_one: '{{shown}} delivery is still waiting. Send it now, or discard it for good?',
    enableText_other:
      '{{shown}} deliveries are still waiting. Send them now, in order, or discard them for good?',
    disableText_one:
      '{{shown}} delivery is still waiting. Keep it until you enable the webhook again, or discard it for good?',
    disableText_other:
      '{{shown}} deliveries are still waiting. Keep them until you enable the webhook again, or discard them for good?',
    missed: 'While it is disabled, new events are not queued. Use Replay to send them later.',
    cancel: 'Cancel',
    discardEnable: 'Enable and discard',
    discardDisable: 'Disable and discard',
    send: 'Enable and send',
    keep: 'Disable and keep',
  },
  de: {
    enabled: 'Aktiv',
    enable: 'Webhook einschalten?',
    disable: 'Webhook ausschalten?',
    enableText_one: '{{shown}} Zustellung wartet noch. Jetzt senden oder endgültig verwerfen?',
    enableText_other:
      '{{shown}} Zustellungen warten noch. Jetzt der Reihe nach senden oder endgültig verwerfen?',
    disableText_one:
      '{{shown}} Zustellung wartet noch. Bis zum Einschalten behalten oder endgültig verwerfen?',
    disableText_other:
      '{{shown}} Zustellungen warten noch. Bis zum Einschalten behalten oder endgültig verwerfen?',
    missed:
      'Solange der Webhook ausgeschaltet ist, werden neue Ereignisse nicht vorgemerkt. Mit „Wiederholen“ senden Sie sie später.',
    cancel: 'Abbrechen',
    discardEnable: 'Einschalten und verwerfen',
    discardDisable: 'Ausschalten und verwerfen',
    send: 'Einschalten und senden',
    keep: 'Ausschalten und behalten',
  },
})

interface Question {
  readonly isEnabled: boolean
  readonly waitingCount: number
}

/** Asks what to do with waiting deliveries, if there are any. */
export const EnableSwitch = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useWords()
  const [question, setQuestion] = useState<Question | null>(null)
  const save = useMutation({
    mutationFn: ({ IsEnabled, discard }: { IsEnabled: boolean; discard: boolean }) =>
      zoetrope.webhooks.update(webhook.Id, { IsEnabled }, {}, discard ? { discard } : {}),
    onSuccess: (saved) => {
      setQuestion(null)
      queryClient.setQueryData(queryKeys.webhook(webhook.Id), saved)
      void queryClient.invalidateQueries({ queryKey: queryKeys.events })
      void queryClient.invalidateQueries({ queryKey: queryKeys.webhooks })
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
