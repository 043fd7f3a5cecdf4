import { Button, Group, Select, TextInput } from '@mantine/core'
import { useProjectChoices } from '../projects/all-projects.ts'
import { useTexts } from '../shell/texts.ts'
import { EventPicker } from './event-picker.tsx'
import { HeaderRows } from './header-rows.tsx'
import type { WebhookForm } from './webhook-form.ts'
import { inspectorTarget } from './webhook-queries.ts'

interface FieldsProps {
  readonly form: WebhookForm
}

export const EndpointFields = ({ form }: FieldsProps) => {
  const t = useTexts('notifications.webhookForm')
  const projects = useProjectChoices()
  const isInspected = form.values.TargetURL === inspectorTarget
  return (
    <>
      <TextInput
        label={t('label')}
        description={t('labelAdvice')}
        maxLength={255}
        data-autofocus
        {...form.getInputProps('Label')}
      />
      <TextInput
        label={t('target')}
        description={isInspected ? t('inspected') : t('targetAdvice')}
        placeholder="https://example.com/webhooks"
        required
        maxLength={2_048}
        {...form.getInputProps('TargetURL')}
      />
      {!isInspected && (
        <Group>
          <Button
            size="xs"
            variant="default"
            onClick={() => form.setFieldValue('TargetURL', inspectorTarget)}
          >
            {t('inspector')}
          </Button>
        </Group>
      )}
      <Select
        label={t('project')}
        searchable
        allowDeselect={false}
        data={[{ value: '', label: t('allProjects') }, ...projects]}
        {...form.getInputProps('ProjectId')}
      />
    </>
  )
}

interface LabelProps {
  readonly hasLabel?: boolean
}

export const EventsField = ({
  form,
  order,
  hasLabel = true,
}: FieldsProps & LabelProps & { readonly order: 2 | 3 }) => (
  <EventPicker
    order={order}
    hasLabel={hasLabel}
    value={form.values.EventTypes}
    onChange={(chosen) => form.setFieldValue('EventTypes', chosen)}
    error={form.errors['EventTypes']}
  />
)

export const HeadersField = ({ form, hasLabel = true }: FieldsProps & LabelProps) => (
  <HeaderRows
    hasLabel={hasLabel}
    rows={form.values.CustomHeaders}
    onChange={(rows) => form.setFieldValue('CustomHeaders', rows)}
    errors={form.errors}
  />
)
