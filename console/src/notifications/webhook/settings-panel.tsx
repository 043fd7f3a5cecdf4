import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useProjectChoices } from '../../projects/all-projects.ts'
import { zoetrope } from '../../shell/api.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { formatTime } from '../../ui/format.ts'
import { RecordSaveBar } from '../../ui/forms/record/record-save-bar.tsx'
import { SettingsLayout, type SettingsPart } from '../../ui/layout/settings-layout.tsx'
import type { HeaderRow } from '../header-rows.tsx'
import { SecretShown } from '../secret-shown.tsx'
import { EndpointFields, EventsField, HeadersField } from '../webhook-fields.tsx'
import { useWebhookForm } from '../webhook-form.ts'
import { reloadWebhooks, webhookQuery, type Webhook } from '../webhook-queries.ts'

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
    await navigate({ to: '/notifications', ignoreBlocker: true })
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

const useSettings = (webhook: Webhook) => {
  const { Id } = webhook
  return useWebhookForm(webhook, {
    reload: () => queryClient.fetchQuery({ ...webhookQuery(Id), staleTime: 0 }),
    update: (settings, options) => zoetrope.webhooks.update(Id, settings, options),
    store: (saved) => {
      queryClient.setQueryData(queryKeys.webhook(Id), saved)
      void reloadWebhooks()
    },
  })
}

const WebhookSaveBar = ({ form }: { readonly form: ReturnType<typeof useSettings> }) => {
  const t = useTexts('notifications.webhookForm')
  const tSettings = useTexts('notifications.webhookSettings')
  const projects = useProjectChoices()
  const labels: Readonly<Record<string, string>> = {
    Label: t('label'),
    TargetURL: t('target'),
    EventTypes: tSettings('events'),
    ProjectId: t('project'),
    CustomHeaders: tSettings('headers'),
  }
  const renderValue = (name: string, value: unknown): string => {
    if (name === 'CustomHeaders')
      return (value as HeaderRow[]).map(([header, content]) => `${header}: ${content}`).join('\n')
    if (name === 'ProjectId') return projects.find((one) => one.value === value)?.label ?? String(value)
    return Array.isArray(value) ? value.join(', ') : String(value)
  }
  return (
    <RecordSaveBar
      form={form}
      section="tab"
      labelOf={(name) => labels[name] ?? name}
      renderValue={renderValue}
    />
  )
}

export const SettingsPanel = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.webhookSettings')
  const can = useCan()
  const form = useSettings(webhook)
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
      <SettingsLayout parts={parts} footer={<WebhookSaveBar form={form} />} />
    </form>
  )
}
