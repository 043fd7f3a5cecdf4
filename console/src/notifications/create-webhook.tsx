import { Button, Group, Modal, PasswordInput, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { focusWhenShown } from '../ui/hooks/focus-when-shown.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { SecretShown } from './secret-shown.tsx'
import { EndpointFields, EventsField, HeadersField } from './webhook-fields.tsx'
import { useNewWebhookForm } from './webhook-form.ts'
import { reloadWebhooks } from './webhook-queries.ts'

type Created = Awaited<ReturnType<typeof zoetrope.webhooks.create>>

const CreateForm = ({
  onCreated,
  onCancel,
}: {
  readonly onCreated: (created: Created) => void
  readonly onCancel: () => void
}) => {
  const t = useTexts('notifications.createWebhook')
  const tField = useTexts('notifications.webhookForm')
  const form = useNewWebhookForm({
    create: (settings) => zoetrope.webhooks.create(settings),
    onSaved: async (created) => {
      onCreated(created)
      await reloadWebhooks()
    },
  })
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <ProblemAlert error={form.problem} />
        <EndpointFields form={form.fields} />
        <EventsField form={form.fields} order={3} />
        <HeadersField form={form.fields} />
        <PasswordInput
          label={tField('secret')}
          description={tField('secretAdvice')}
          autoComplete="off"
          maxLength={512}
          {...form.getInputProps('Secret')}
        />
        <Group justify="flex-end" className="dialog-actions">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={form.saving.isPending}>
            {t('create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export const CreateWebhook = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('notifications.createWebhook')
  const navigate = useNavigate()
  const [made, setMade] = useState<Created | null>(null)
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
        <CreateForm onCreated={setMade} onCancel={close} />
      ) : (
        <Stack>
          <SecretShown secret={made.Secret} />
          <Group justify="flex-end">
            <Button onClick={go} ref={focusWhenShown} data-autofocus>
              {t('go')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
