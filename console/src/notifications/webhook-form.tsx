import { Button, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useProjectChoices } from '../projects/all-projects.ts'
import { useTexts } from '../shell/texts.ts'
import { useSaveForm } from '../ui/forms/use-save-form.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { EventPicker } from './event-picker.tsx'
import { HeaderRows, type HeaderRow } from './header-rows.tsx'
import { inspectorTarget, type Webhook } from './webhook-queries.ts'

interface WebhookSettings {
  readonly Label: string
  readonly TargetURL: string
  readonly EventTypes: string[]
  readonly ProjectId: number | null
  readonly CustomHeaders: Record<string, string>
  readonly Secret?: string
}

interface FormValues {
  Label: string
  TargetURL: string
  EventTypes: string[]
  /** Empty = all projects. */
  ProjectId: string
  CustomHeaders: HeaderRow[]
  Secret: string
}

const nothing: FormValues = {
  Label: '',
  TargetURL: '',
  EventTypes: ['file.*'],
  ProjectId: '',
  CustomHeaders: [],
  Secret: '',
}

const valuesOf = ({ Label, TargetURL, EventTypes, ProjectId, CustomHeaders }: Webhook): FormValues => ({
  ...{ Label, TargetURL, EventTypes, Secret: '' },
  ProjectId: ProjectId === null ? '' : String(ProjectId),
  CustomHeaders: Object.entries(CustomHeaders),
})

const settingsOf = ({ Secret, ProjectId, CustomHeaders, ...rest }: FormValues): WebhookSettings => ({
  ...rest,
  ProjectId: ProjectId === '' ? null : Number(ProjectId),
  CustomHeaders: Object.fromEntries(CustomHeaders.filter(([name]) => name.trim() !== '')),
  ...(Secret !== '' && { Secret }),
})

export const WebhookForm = <Saved,>({
  webhook,
  action,
  save,
  onSaved,
  children,
}: {
  readonly webhook?: Webhook
  readonly action: string
  readonly save: (settings: WebhookSettings) => Promise<Saved>
  readonly onSaved: (saved: Saved) => unknown
  readonly children?: ReactNode
}) => {
  const t = useTexts('notifications.webhookForm')
  const projects = useProjectChoices()
  const form = useSaveForm({
    initialValues: webhook === undefined ? nothing : valuesOf(webhook),
    validate: ({ EventTypes }) => (EventTypes.length === 0 ? { EventTypes: t('noEvents') } : {}),
    save: (values) => save(settingsOf(values)),
    onSaved,
  })
  const { saving, values, errors } = form
  const isInspected = values.TargetURL === inspectorTarget
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <ProblemAlert error={form.problem} />
        <TextInput
          label={t('label')}
          description={t('labelAdvice')}
          maxLength={255}
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
        <EventPicker
          order={webhook === undefined ? 3 : 2}
          value={values.EventTypes}
          onChange={(chosen) => {
            form.setFieldValue('EventTypes', chosen)
            form.clearFieldError('EventTypes')
          }}
          error={errors['EventTypes']}
        />
        <Select
          label={t('project')}
          searchable
          allowDeselect={false}
          data={[{ value: '', label: t('allProjects') }, ...projects]}
          {...form.getInputProps('ProjectId')}
        />
        <HeaderRows
          rows={values.CustomHeaders}
          onChange={(rows) => form.setFieldValue('CustomHeaders', rows)}
          errors={errors}
        />
        {webhook === undefined && (
          <PasswordInput
            label={t('secret')}
            description={t('secretAdvice')}
            autoComplete="off"
            maxLength={512}
            {...form.getInputProps('Secret')}
          />
        )}
        <Group justify="flex-end" className={webhook === undefined ? 'dialog-actions' : ''}>
          {children}
          <Button type="submit" loading={saving.isPending}>
            {action}
          </Button>
        </Group>
        <Text role="status" size="sm">
          {webhook !== undefined && saving.isSuccess ? t('saved') : ''}
        </Text>
      </Stack>
    </form>
  )
}
