import { Group, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useProjectChoices } from '../../projects/all-projects.ts'
import { zoetrope } from '../../shell/api.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { reloadAlerts, type Alert } from './alert-queries.ts'
import { alertMetrics, inputUnits, type AlertMetric } from './alert-texts.ts'

interface Values {
  readonly Label: string
  /** Empty = all projects. */
  readonly ProjectId: string
  readonly Metric: AlertMetric
  readonly Operator: Alert['Operator']
  /** In the unit of the field. */
  readonly Threshold: number | string
  readonly WindowMinutes: number | string
  readonly MinimumViewers: number | string
  readonly IsEnabled: boolean
}

const fresh: Values = {
  ...{ Label: '', ProjectId: '', Metric: 'rebuffering', Operator: 'above', Threshold: 2 },
  ...{ WindowMinutes: 5, MinimumViewers: 50, IsEnabled: true },
}

/** Removes the digits that a change of the unit adds. */
const rounded = (value: number): number => Number(value.toPrecision(12))

const valuesOf = (alert: Alert): Values => ({
  ...alert,
  ProjectId: alert.ProjectId === null ? '' : String(alert.ProjectId),
  Threshold: rounded(alert.Threshold * inputUnits[alert.Metric].factor),
})

const bodyOf = ({ ProjectId, Metric, Threshold, WindowMinutes, MinimumViewers, ...rest }: Values) => ({
  ...rest,
  Metric,
  Threshold: rounded(Number(Threshold) / inputUnits[Metric].factor),
  WindowMinutes: Number(WindowMinutes),
  MinimumViewers: Number(MinimumViewers),
  ProjectId: ProjectId === '' ? null : Number(ProjectId),
})

/** The console writes alerts of projects. An alert of a file keeps it until its project changes. */
const fileOf = (alert: Alert | null, projectId: number | null): number | null =>
  alert !== null && alert.ProjectId === projectId ? alert.FileId : null

export const AlertForm = ({
  alert,
  projectId,
  onClose,
}: {
  /** Null = a new alert. */
  readonly alert: Alert | null
  /** Project of a new alert. Undefined = all projects. */
  readonly projectId: string | undefined
  readonly onClose: () => void
}) => {
  const t = useTexts('analytics.alerts')
  const names = useTexts('analytics.metrics')
  const projects = useProjectChoices()
  const form = useSaveForm({
    initialValues: alert === null ? { ...fresh, ProjectId: projectId ?? '' } : valuesOf(alert),
    save: (values) => {
      const body = bodyOf(values)
      const whole = { ...body, FileId: fileOf(alert, body.ProjectId) }
      return alert === null
        ? zoetrope.analytics.createAlert(whole)
        : zoetrope.analytics.updateAlert(alert.Id, whole)
    },
    onSaved: async () => {
      await reloadAlerts()
      onClose()
    },
  })
  const numbers = { required: true, allowNegative: false, w: 150 } as const
  return (
    <DialogForm form={form} action={t(alert === null ? 'create' : 'save')} onCancel={onClose}>
      <TextInput label={t('label')} maxLength={255} data-autofocus {...form.getInputProps('Label')} />
      <Select
        label={t('project')}
        searchable
        allowDeselect={false}
        data={[{ value: '', label: t('allProjects') }, ...projects]}
        {...form.getInputProps('ProjectId')}
      />
      <Select
        label={t('metric')}
        allowDeselect={false}
        data={alertMetrics.map((value) => ({ value, label: names(value) }))}
        {...form.getInputProps('Metric')}
      />
      <Group align="end">
        <Select
          label={t('operator')}
          allowDeselect={false}
          w={150}
          data={[
            { value: 'above', label: t('isAbove') },
            { value: 'below', label: t('isBelow') },
          ]}
          {...form.getInputProps('Operator')}
        />
        <NumberInput
          label={t('threshold')}
          {...numbers}
          suffix={inputUnits[form.values.Metric].suffix}
          {...form.getInputProps('Threshold')}
        />
      </Group>
      <Stack gap="sm">
        <NumberInput
          label={t('windowMinutes')}
          description={t('windowExplained')}
          {...numbers}
          w="100%"
          allowDecimal={false}
          min={1}
          max={60}
          {...form.getInputProps('WindowMinutes')}
        />
        <NumberInput
          label={t('minimumViewers')}
          description={t('minimumExplained')}
          {...numbers}
          w="100%"
          allowDecimal={false}
          {...form.getInputProps('MinimumViewers')}
        />
        <Switch label={t('isEnabled')} {...form.getInputProps('IsEnabled', { type: 'checkbox' })} />
      </Stack>
    </DialogForm>
  )
}
