import { Fieldset, NumberInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { formatNumber } from '../../ui/format.ts'
import { ReleaseSelect } from '../../ui/release-status.tsx'
import type { FormFields } from '../../ui/forms/form-fields.ts'
import type { LiveIngest } from '../live-queries.ts'
import { RungsField } from './rungs-field.tsx'

const kinds = ['rtmp', 'srt', 'rtmp-pull', 'srt-pull', 'hls-pull'] as const
export type StreamKind = (typeof kinds)[number]
const longestTimeshiftSeconds = 14_400
const longestReconnectSeconds = 600

export type LiveSettings = Pick<
  LiveIngest,
  | ('Title' | 'BoardText' | 'EndedText' | 'ReleaseStatus' | 'IsEnabled' | 'AutoRecording')
  | ('StreamInType' | 'StreamInURI' | 'ReconnectWindow')
  | ('UseLowLatency' | 'TimeshiftDuration' | 'AutomaticTranscoding' | 'Renditions')
>

interface Fields {
  readonly form: FormFields<LiveSettings>
  readonly mayWrite: boolean
}

export const StreamFields = ({ form, mayWrite }: Fields) => {
  const t = useTexts('live.settings')
  return (
    <Fieldset legend={t('stream')} disabled={!mayWrite}>
      <Stack>
        <TextInput
          label={t('Title')}
          description={t('titleExplained')}
          maxLength={255}
          {...form.getInputProps('Title')}
        />
        <Textarea
          label={t('BoardText')}
          description={t('boardExplained')}
          maxLength={500}
          autosize
          {...form.getInputProps('BoardText')}
        />
        <Textarea
          label={t('EndedText')}
          description={t('endedExplained')}
          maxLength={500}
          autosize
          {...form.getInputProps('EndedText')}
        />
        <ReleaseSelect {...form.getInputProps('ReleaseStatus')} value={form.values.ReleaseStatus} />
        <Switch
          label={t('IsEnabled')}
          description={t('enabledExplained')}
          {...form.getInputProps('IsEnabled', { type: 'checkbox' })}
        />
        <Switch
          label={t('AutoRecording')}
          description={t('recordingExplained')}
          {...form.getInputProps('AutoRecording', { type: 'checkbox' })}
        />
      </Stack>
    </Fieldset>
  )
}

export const IncomingFields = ({ form, mayWrite }: Fields) => {
  const t = useTexts('live.settings')
  return (
    <Fieldset legend={t('incoming')} disabled={!mayWrite}>
      <Stack>
        <Select
          label={t('StreamInType')}
          allowDeselect={false}
          {...form.getInputProps('StreamInType')}
          data={kinds.map((value) => ({ value, label: t(value) }))}
          onChange={(value) => {
            const StreamInType = kinds.find((kind) => kind === value)
            if (StreamInType !== undefined) form.setFieldValue('StreamInType', StreamInType)
          }}
        />
        {form.values.StreamInType.endsWith('-pull') && (
          <TextInput
            label={t('StreamInURI')}
            required
            maxLength={2_048}
            {...form.getInputProps('StreamInURI')}
            value={form.values.StreamInURI ?? ''}
          />
        )}
        <NumberInput
          label={t('ReconnectWindow')}
          min={0}
          max={longestReconnectSeconds}
          allowDecimal={false}
          {...form.getInputProps('ReconnectWindow')}
          onChange={(value) => typeof value === 'number' && form.setFieldValue('ReconnectWindow', value)}
        />
      </Stack>
    </Fieldset>
  )
}

export const ViewerFields = ({ form, mayWrite }: Fields) => {
  const t = useTexts('live.settings')
  return (
    <Fieldset legend={t('viewers')} disabled={!mayWrite}>
      <Stack>
        <Switch
          label={t('UseLowLatency')}
          description={t('lowLatencyExplained')}
          {...form.getInputProps('UseLowLatency', { type: 'checkbox' })}
        />
        <NumberInput
          label={t('TimeshiftDuration')}
          description={t('timeshiftExplained', { max: formatNumber(longestTimeshiftSeconds) })}
          min={0}
          max={longestTimeshiftSeconds}
          step={60}
          allowDecimal={false}
          {...form.getInputProps('TimeshiftDuration')}
          onChange={(value) => typeof value === 'number' && form.setFieldValue('TimeshiftDuration', value)}
        />
        <Switch
          label={t('AutomaticTranscoding')}
          description={t('transcodingExplained')}
          {...form.getInputProps('AutomaticTranscoding', { type: 'checkbox' })}
        />
        {form.values.AutomaticTranscoding && (
          <RungsField
            rungs={form.values.Renditions}
            errors={form.errors}
            mayWrite={mayWrite}
            onChange={(Renditions) => form.setFieldValue('Renditions', [...Renditions])}
          />
        )}
      </Stack>
    </Fieldset>
  )
}
