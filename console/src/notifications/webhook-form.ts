import { useTexts } from '../shell/texts.ts'
import { useSaveForm } from '../ui/forms/use-save-form.ts'
import type { HeaderRow } from './header-rows.tsx'
import type { Webhook } from './webhook-queries.ts'

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

export const webhookFormOf = ({
  Label,
  TargetURL,
  EventTypes,
  ProjectId,
  CustomHeaders,
}: Webhook): FormValues => ({
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

/** The settings of a webhook, or of a new one without `webhook`. */
export const useWebhookForm = <Saved>({
  webhook,
  save,
  onSaved,
}: {
  readonly webhook?: Webhook
  readonly save: (settings: WebhookSettings) => Promise<Saved>
  readonly onSaved: (saved: Saved, form: { readonly reset: (to: Webhook) => void }) => unknown
}) => {
  const t = useTexts('notifications.webhookForm')
  return useSaveForm({
    initialValues: webhook === undefined ? nothing : webhookFormOf(webhook),
    validate: ({ EventTypes }) => (EventTypes.length === 0 ? { EventTypes: t('noEvents') } : {}),
    save: (values) => save(settingsOf(values)),
    onSaved: (saved, { setInitialValues, reset }) =>
      onSaved(saved, {
        reset: (to) => {
          setInitialValues(webhookFormOf(to))
          reset()
        },
      }),
  })
}

export type WebhookForm = Pick<
  ReturnType<typeof useWebhookForm>,
  'values' | 'errors' | 'getInputProps' | 'setFieldValue' | 'clearFieldError'
>
