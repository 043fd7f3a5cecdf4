import { Button, Divider, Group, Stack, Text, Title } from '@mantine/core'
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
import { SecretShown } from '../secret-shown.tsx'
import { WebhookForm } from '../webhook-form.tsx'
import type { Webhook } from '../webhook-queries.ts'

const Secret = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.webhookSettings')
  const can = useCan()
  const [isAsking, { open, close }] = useDisclosure()
  const rotate = useMutation({
    mutationFn: () => zoetrope.webhooks.rotateSecret(webhook.Id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.webhooks }),
  })
  return (
    <Stack maw={700}>
      <Title order={2} size="h4">
        {t('secret')}
      </Title>
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
    </Stack>
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
    await queryClient.invalidateQueries({ queryKey: queryKeys.webhooks })
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
  const can = useCan()
  // The record at the start of the edit, so that concurrent changes are not overwritten silently.
  const [known, setKnown] = useState(webhook)
  return (
    <Stack>
      {can('webhooks:write') && (
        <Stack maw={700}>
          <WebhookForm
            webhook={known}
            action={t('save')}
            save={(settings) => {
              const etag = metaOf(known)?.etag
              return zoetrope.webhooks.update(webhook.Id, settings, etag == null ? {} : { ifMatch: etag })
            }}
            onSaved={(saved) => {
              setKnown(saved)
              queryClient.setQueryData(queryKeys.webhook(webhook.Id), saved)
              void queryClient.invalidateQueries({ queryKey: queryKeys.webhooks })
            }}
          />
        </Stack>
      )}
      <Divider />
      <Secret webhook={webhook} />
      {can('webhooks:write') && (
        <>
          <Divider />
          <Removal webhook={webhook} />
        </>
      )}
    </Stack>
  )
}
