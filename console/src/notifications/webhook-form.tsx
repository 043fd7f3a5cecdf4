import { Button, Group, PasswordInput, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode, type SubmitEvent } from 'react'
import { allProjects } from '../projects/all-projects.ts'
import { useTexts } from '../shell/texts.ts'
import { fieldErrors } from '../ui/forms/field-errors.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { EventPicker } from './event-picker.tsx'
import { HeaderRows, type HeaderRow } from './header-rows.tsx'
import { inspectorTarget, type Webhook } from './webhook-queries.ts'

export interface WebhookSettings {
  readonly Label: string
  readonly TargetURL: string
  readonly EventTypes: string[]
  readonly ProjectId: number | null
  readonly CustomHeaders: Record<string, string>
}

export interface NewWebhook extends WebhookSettings {
  readonly Secret?: string
}

const nothing: WebhookSettings = {
  Label: '',
  TargetURL: '',
  EventTypes: ['file.*'],
  ProjectId: null,
  CustomHeaders: {},
}

export const WebhookForm = ({
  webhook,
  action,
  isPending,
  error,
  onSave,
  children,
}: {
  readonly webhook?: Webhook
  readonly action: string
  readonly isPending: boolean
  readonly error: unknown
  readonly onSave: (settings: NewWebhook) => void
  readonly children?: ReactNode
}) => {
  const t = useTexts('notifications.webhookForm')
  const { data: projects = [] } = useQuery(allProjects)
  const [settings, setSettings] = useState<WebhookSettings>(webhook ?? nothing)
  const [headers, setHeaders] = useState<readonly HeaderRow[]>(() => Object.entries(settings.CustomHeaders))
  const [secret, setSecret] = useState('')
  const [isTried, setIsTried] = useState(false)
  const errors = fieldErrors(error)
  const { Label, TargetURL, EventTypes, ProjectId } = settings
  const change = (changes: Partial<WebhookSettings>): void => setSettings({ ...settings, ...changes })
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    setIsTried(true)
    if (EventTypes.length === 0) return
    const CustomHeaders = Object.fromEntries(headers.filter(([name]) => name.trim() !== ''))
    const chosen = secret === '' ? {} : { Secret: secret }
    onSave({ Label, TargetURL, EventTypes: [...EventTypes], ProjectId, CustomHeaders, ...chosen })
  }
  const isInspected = TargetURL === inspectorTarget
  return (
    <form onSubmit={submit}>
      <Stack>
        <ProblemAlert error={error} />
        <TextInput
          label={t('label')}
          description={t('labelAdvice')}
          maxLength={255}
          value={Label}
          error={errors['Label']}
          onChange={({ currentTarget }) => change({ Label: currentTarget.value })}
        />
        <TextInput
          label={t('target')}
          description={isInspected ? t('inspected') : t('targetAdvice')}
          placeholder="https://example.com/webhooks"
          required
          maxLength={2_048}
          value={TargetURL}
          error={errors['TargetURL']}
          onChange={({ currentTarget }) => change({ TargetURL: currentTarget.value })}
        />
        {!isInspected && (
          <Group>
            <Button size="xs" variant="default" onClick={() => change({ TargetURL: inspectorTarget })}>
              {t('inspector')}
            </Button>
          </Group>
        )}
        <EventPicker
          order={webhook === undefined ? 3 : 2}
          value={EventTypes}
          onChange={(chosen) => change({ EventTypes: chosen })}
          error={isTried && EventTypes.length === 0 ? t('noEvents') : errors['EventTypes']}
        />
        <Select
          label={t('project')}
          searchable
          allowDeselect={false}
          value={ProjectId === null ? '' : String(ProjectId)}
          data={[
            { value: '', label: t('allProjects') },
            ...projects.map(({ Id, Name }) => ({ value: String(Id), label: Name })),
          ]}
          error={errors['ProjectId']}
          onChange={(id) => change({ ProjectId: id === null || id === '' ? null : Number(id) })}
        />
        <HeaderRows rows={headers} onChange={setHeaders} errors={errors} />
        {webhook === undefined && (
          <PasswordInput
            label={t('secret')}
            description={t('secretAdvice')}
            autoComplete="off"
            maxLength={512}
            value={secret}
            error={errors['Secret']}
            onChange={({ currentTarget }) => setSecret(currentTarget.value)}
          />
        )}
        <Group justify="flex-end" className={webhook === undefined ? 'dialog-actions' : ''}>
          {children}
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
