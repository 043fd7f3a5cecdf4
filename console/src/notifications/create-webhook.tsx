import { Button, Group, Modal, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryClient, queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { SecretShown } from './secret-shown.tsx'
import { WebhookForm } from './webhook-form.tsx'

export const CreateWebhook = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('notifications.createWebhook')
  const navigate = useNavigate()
  const [made, setMade] = useState<Awaited<ReturnType<typeof zoetrope.webhooks.create>> | null>(null)
  const close = (): void => {
    onClose()
    setMade(null)
  }
  const go = (): void => {
    close()
    if (made !== null) void navigate({ to: '/notifications/$webhookId', params: { webhookId: made.Id } })
  }
  return (
    <Modal
      opened={isOpen}
      onClose={made === null ? close : go}
      title={made === null ? t('title') : t('created')}
      size="lg"
      closeOnClickOutside={false}
    >
      {made === null ? (
        <WebhookForm
          action={t('create')}
          save={(settings) => zoetrope.webhooks.create(settings)}
          onSaved={async (created) => {
            setMade(created)
            await queryClient.invalidateQueries({ queryKey: queryKeys.webhooks })
          }}
        >
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
        </WebhookForm>
      ) : (
        <Stack>
          <SecretShown secret={made.Secret} />
          <Group justify="flex-end">
            <Button onClick={go} data-autofocus>
              {t('go')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
