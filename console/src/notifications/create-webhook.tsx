import { Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { zoetrope } from '../shell/api.ts'
import { queryClient, queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { SecretShown } from './secret-shown.tsx'
import { WebhookForm, type NewWebhook } from './webhook-form.tsx'

export const CreateWebhook = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('notifications.createWebhook')
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: (settings: NewWebhook) => zoetrope.webhooks.create(settings),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.webhooks }),
  })
  const close = (): void => {
    onClose()
    create.reset()
  }
  const made = create.data
  const go = (): void => {
    close()
    if (made !== undefined) void navigate({ to: '/notifications/$webhookId', params: { webhookId: made.Id } })
  }
  return (
    <Modal
      opened={isOpen}
      onClose={made === undefined ? close : go}
      title={made === undefined ? t('title') : t('created')}
      size="lg"
      closeOnClickOutside={false}
    >
      {made === undefined ? (
        <WebhookForm
          action={t('create')}
          isPending={create.isPending}
          error={create.error}
          onSave={(settings) => create.mutate(settings)}
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
