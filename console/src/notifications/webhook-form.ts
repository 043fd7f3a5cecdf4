import { useTexts, type Translate } from '../shell/texts.ts'
import type { FormFields } from '../ui/forms/form-fields.ts'
import { useRecordForm } from '../ui/forms/record/use-record-form.ts'
import type { IfMatch, RecordAccess } from '../ui/forms/record/use-record-edits.ts'
import { useSaveForm } from '../ui/forms/use-save-form.ts'
import type { HeaderRow } from './header-rows.tsx'
import type { Webhook } from './webhook-queries.ts'

interface WebhookSettings {
  readonly Label: string
  readonly TargetURL: string
  readonly EventTypes: string[]
  readonly ProjectId: number | null
  readonly CustomHeaders: Record<string, string>
}

export interface WebhookValues {
  readonly Label: string
  readonly TargetURL: string
  readonly EventTypes: string[]
  /** Empty = all projects. */
  readonly ProjectId: string
  readonly CustomHeaders: HeaderRow[]
}

export type WebhookForm = FormFields<WebhookValues>

const nothing: WebhookValues & { readonly Secret: string } = {
  Label: '',
  TargetURL: '',
  EventTypes: ['file.*'],
  ProjectId: '',
  CustomHeaders: [],
  Secret: '',
}

const valuesOf = ({ Label, TargetURL, EventTypes, ProjectId, CustomHeaders }: Webhook): WebhookValues => ({
  ...{ Label, TargetURL, EventTypes },
  ProjectId: ProjectId === null ? '' : String(ProjectId),
  CustomHeaders: Object.entries(CustomHeaders),
})

const settingsOf = ({ ProjectId, CustomHeaders, ...rest }: WebhookValues): WebhookSettings => ({
  ...rest,
  ProjectId: ProjectId === '' ? null : Number(ProjectId),
  CustomHeaders: Object.fromEntries(CustomHeaders.filter(([name]) => name.trim() !== '')),
})

const issuesOf = (t: Translate<'notifications.webhookForm'>, { EventTypes }: WebhookValues) =>
  EventTypes.length === 0 ? { EventTypes: t('noEvents') } : {}

export const useNewWebhookForm = <Saved>({
  create,
  onSaved,
}: {
  readonly create: (settings: WebhookSettings & { readonly Secret?: string }) => Promise<Saved>
  readonly onSaved: (saved: Saved) => unknown
}) => {
  const t = useTexts('notifications.webhookForm')
  const form = useSaveForm({
    initialValues: nothing,
    validate: (values) => issuesOf(t, values),
    save: ({ Secret, ...values }) => create({ ...settingsOf(values), ...(Secret !== '' && { Secret }) }),
    onSaved,
  })
  // TypeScript cannot see that the fields of more values are also those of these.
  const fields = form.fields as unknown as WebhookForm
  return { ...form, fields }
}

export const useWebhookForm = (
  webhook: Webhook,
  {
    update,
    ...access
  }: Pick<RecordAccess<Webhook>, 'reload' | 'store'> & {
    readonly update: (settings: WebhookSettings, options: IfMatch) => Promise<Webhook>
  },
) => {
  const t = useTexts('notifications.webhookForm')
  return useRecordForm({
    ...access,
    record: webhook,
    valuesOf,
    validate: (values) => issuesOf(t, values),
    update: ({ after }, options) => update(settingsOf(after), options),
  })
}
