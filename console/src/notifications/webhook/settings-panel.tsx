import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { metaOf } from '@zoetrope/sdk'
import { zoetrope } from '../../shell/api.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { formatTime } from '../../ui/format.ts'
import { SaveBar } from '../../ui/save-bar.tsx'
import { SettingsLayout, type SettingsPart } from '../../ui/layout/settings-layout.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { SecretShown } from '../secret-shown.tsx'
import { EndpointFields, EventsField, HeadersField } from '../webhook-fields.tsx'
import { useWebhookForm, webhookFormOf } from '../webhook-form.ts'
import { reloadWebhooks, type Webhook } from '../webhook-queries.ts'

const Secret = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.webhookSettings')
  const can = useCan()
  const [isAsking, { open, close }] = useDisclosure()
  const rotate = useMutation({
    mutationFn: () => zoetrope.webhooks.rotateSecret(webhook.Id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.webhooks }),
  })
  return (
    <>
      {rotate.data === undefined ? (
        <Text>{t('lastFour', { lastFour: webhook.SecretLastFour })}</Text>
      ) : (
        <SecretShown secret={rotate.data.Secret} />
      )}
      {webhook.PreviousSecretValidUntil !== null && (
        <Text size="sm">{t('inForce', { time: formatTime(webhook.PreviousSecretValidUntil) })}</Text>
      )}
      {can('webhooks:write') && (
        <Group>
          <Button variant="default" onClick={open}>
            {t('rotate')}
          </Button>
        </Group>
      )}
      <Confirm
        isOpen={isAsking}
        onClose={close}
        title={t('rotateQuestion')}
        text={t('overlap')}
        action={t('rotate')}
        onConfirm={() => rotate.mutateAsync()}
      />
    </>
  )
}

const Removal = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.webhookSettings')
  const navigate = useNavigate()
  const [isAsking, { open, close }] = useDisclosure()
  const remove = async (): Promise<void> => {
    await zoetrope.webhooks.delete(webhook.Id)
    await navigate({ to: '/notifications' })
    queryClient.removeQueries({ queryKey: queryKeys.webhook(webhook.Id) })
    await reloadWebhooks()
  }
  return (
    <Group>
      <Button variant="outline" color="red" onClick={open}>
        {t('remove')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={close}
        title={t('removeQuestion')}
        text={t('removeText')}
        action={t('remove')}
        onConfirm={remove}
      />
    </Group>
  )
}

export const SettingsPanel = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.webhookSettings')
  const toasts = useToasts()
  const can = useCan()
  // The record at the start of the edit, so that concurrent changes are not overwritten silently.
  const [known, setKnown] = useState(webhook)
  const form = useWebhookForm({
    webhook: known,
    save: (settings) => {
      // The switch and the secret make new versions of the record, too, and are no conflict.
      const isSame = JSON.stringify(webhookFormOf(webhook)) === JSON.stringify(webhookFormOf(known))
      const etag = metaOf(isSame ? webhook : known)?.etag
      return zoetrope.webhooks.update(webhook.Id, settings, etag == null ? {} : { ifMatch: etag })
    },
    onSaved: (saved, { reset }) => {
      setKnown(saved)
      reset(saved)
      queryClient.setQueryData(queryKeys.webhook(webhook.Id), saved)
      toasts.done(t('saved'))
      void reloadWebhooks()
    },
  })
  const startAnew = (): void => {
    setKnown(webhook)
    form.setInitialValues(webhookFormOf(webhook))
    form.reset()
    form.saving.reset()
  }
  const secret = {
    id: 'secret',
    title: t('secret'),
    description: t('secretAbout'),
    content: <Secret webhook={webhook} />,
  }
  if (!can('webhooks:write')) return <SettingsLayout parts={[secret]} />
  const parts: SettingsPart[] = [
    { id: 'endpoint', title: t('endpoint'), content: <EndpointFields form={form} /> },
    { id: 'events', title: t('events'), content: <EventsField form={form} order={3} hasLabel={false} /> },
    { id: 'headers', title: t('headers'), content: <HeadersField form={form} hasLabel={false} /> },
    secret,
    { id: 'delete', title: t('delete'), content: <Removal webhook={webhook} /> },
  ]
  return (
    <form onSubmit={form.submit}>
      <SettingsLayout
        parts={parts}
        footer={
          <SaveBar
            isDirty={form.isDirty()}
            isSaving={form.saving.isPending}
            problem={form.problem}
            onDiscard={startAnew}
          />
        }
      />
    </form>
  )
}
