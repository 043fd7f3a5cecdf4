import { useTexts } from '../shell/texts.ts'
import { RecordSaveBar } from '../ui/forms/record/record-save-bar.tsx'
import { formatNumber } from '../ui/format.ts'
import { ladderModeText, type FieldForm, type RungForm, type SettingsForm } from './settings-form.ts'
import type { ProjectForm } from './use-project-form.ts'

const labels = {
  Name: 'name',
  Description: 'description',
  DefaultReleaseStatus: 'releaseOfNew',
  TokenSecurity: 'tokens',
  AllowedDomains: 'domains',
  AnalyticsDimensions: 'dimensions',
  playerColor: 'color',
  hasHeatMap: 'heatMap',
  quotaGigabytes: 'quota',
  UseEncoding: 'useEncoding',
  EncodingPriority: 'priority',
  codecs: 'codecs',
  NormalizeLoudness: 'loudness',
  KeepOriginal: 'keep',
  LadderMode: 'ladderMode',
  rungs: 'ladder',
  fields: 'fields',
} as const satisfies Record<keyof SettingsForm, string>

const rungText = ({ height, kilobitsPerSecond: rate }: RungForm): string =>
  rate === '' ? `${height}p` : `${height}p, ${formatNumber(Number(rate))} kbit/s`

export const ProjectSaveBar = ({
  form,
  onSave,
}: Pick<ProjectForm, 'form'> & { readonly onSave: () => void }) => {
  const t = useTexts('projects.settings')
  const statusNames = useTexts('ui.releaseStatus')
  const fieldText = ({ name, type, isRequired }: FieldForm): string =>
    [name, t(type), ...(isRequired ? [t('fieldRequired')] : [])].join(', ')
  const renderValue = (name: string, value: unknown): string => {
    if (name === 'rungs') return (value as SettingsForm['rungs']).map(rungText).join('; ')
    if (name === 'fields') return (value as SettingsForm['fields']).map(fieldText).join('; ')
    if (name === 'DefaultReleaseStatus') return statusNames(value as SettingsForm['DefaultReleaseStatus'])
    if (name === 'LadderMode') return t(ladderModeText[value as SettingsForm['LadderMode']])
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    return Array.isArray(value) ? value.join(', ') : String(value)
  }
  return (
    <RecordSaveBar
      form={form}
      labelOf={(name) => t(labels[name as keyof SettingsForm])}
      renderValue={renderValue}
      onSave={onSave}
    />
  )
}
