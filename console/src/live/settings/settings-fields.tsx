import { Fieldset, NumberInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { formatNumber } from '../../ui/format.ts'
import { ReleaseSelect } from '../../ui/release-status.tsx'
import type { IngestChange, LiveIngest } from '../live-queries.ts'
import { RungsField } from './rungs-field.tsx'

const kinds = ['rtmp', 'srt', 'rtmp-pull', 'srt-pull', 'hls-pull'] as const
const longestTimeshiftSeconds = 14_400
const longestReconnectSeconds = 600

interface Fields {
  readonly shown: LiveIngest
  readonly edit: (change: IngestChange) => void
  readonly errors: Readonly<Record<string, string>>
  readonly mayWrite: boolean
}

export const StreamFields = ({ shown, edit, errors, mayWrite }: Fields) => {
  const t = useTexts('live.settings')
  return (
    <Fieldset legend={t('stream')} disabled={!mayWrite}>
      <Stack>
        <TextInput
          label={t('Title')}
          description={t('titleExplained')}
          maxLength={255}
          value={shown.Title}
          error={errors['Title']}
          onChange={(event) => edit({ Title: event.currentTarget.value })}
        />
        <Textarea
          label={t('BoardText')}
          description={t('boardExplained')}
          maxLength={500}
          autosize
          value={shown.BoardText}
          error={errors['BoardText']}
          onChange={(event) => edit({ BoardText: event.currentTarget.value })}
        />
        <Textarea
          label={t('EndedText')}
          description={t('endedExplained')}
          maxLength={500}
          autosize
          value={shown.EndedText}
          error={errors['EndedText']}
          onChange={(event) => edit({ EndedText: event.currentTarget.value })}
        />
        <ReleaseSelect
          value={shown.ReleaseStatus}
          error={errors['ReleaseStatus']}
          onChange={(ReleaseStatus) => edit({ ReleaseStatus })}
        />
        <Switch
          label={t('IsEnabled')}
          description={t('enabledExplained')}
          checked={shown.IsEnabled}
          onChange={(event) => edit({ IsEnabled: event.currentTarget.checked })}
        />
        <Switch
          label={t('AutoRecording')}
          description={t('recordingExplained')}
          checked={shown.AutoRecording}
          onChange={(event) => edit({ AutoRecording: event.currentTarget.checked })}
        />
      </Stack>
    </Fieldset>
  )
}

export const IncomingFields = ({ shown, edit, errors, mayWrite }: Fields) => {
  const t = useTexts('live.settings')
  return (
    <Fieldset legend={t('incoming')} disabled={!mayWrite}>
      <Stack>
        <Select
          label={t('StreamInType')}
          allowDeselect={false}
          value={shown.StreamInType}
          error={errors['StreamInType']}
          data={kinds.map((value) => ({ value, label: t(value) }))}
          onChange={(value) => {
            const StreamInType = kinds.find((kind) => kind === value)
            if (StreamInType !== undefined) edit({ StreamInType })
          }}
        />
        {shown.StreamInType.endsWith('-pull') && (
          <TextInput
            label={t('StreamInURI')}
            required
            maxLength={2_048}
            value={shown.StreamInURI ?? ''}
            error={errors['StreamInURI']}
            onChange={(event) => edit({ StreamInURI: event.currentTarget.value })}
          />
        )}
        <NumberInput
          label={t('ReconnectWindow')}
          min={0}
          max={longestReconnectSeconds}
          allowDecimal={false}
          value={shown.ReconnectWindow}
          error={errors['ReconnectWindow']}
          onChange={(value) => typeof value === 'number' && edit({ ReconnectWindow: value })}
        />
      </Stack>
    </Fieldset>
  )
}

export const ViewerFields = ({ shown, edit, errors, mayWrite }: Fields) => {
  const t = useTexts('live.settings')
  return (
    <Fieldset legend={t('viewers')} disabled={!mayWrite}>
      <Stack>
        <Switch
          label={t('UseLowLatency')}
          description={t('lowLatencyExplained')}
          checked={shown.UseLowLatency}
          onChange={(event) => edit({ UseLowLatency: event.currentTarget.checked })}
        />
        <NumberInput
          label={t('TimeshiftDuration')}
          description={t('timeshiftExplained', { max: formatNumber(longestTimeshiftSeconds) })}
          min={0}
          max={longestTimeshiftSeconds}
          step={60}
          allowDecimal={false}
          value={shown.TimeshiftDuration}
          error={errors['TimeshiftDuration']}
          onChange={(value) => typeof value === 'number' && edit({ TimeshiftDuration: value })}
        />
        <Switch
          label={t('AutomaticTranscoding')}
          description={t('transcodingExplained')}
          checked={shown.AutomaticTranscoding}
          onChange={(event) => edit({ AutomaticTranscoding: event.currentTarget.checked })}
        />
        {shown.AutomaticTranscoding && (
          <RungsField
            rungs={shown.Renditions}
            errors={errors}
            mayWrite={mayWrite}
            onChange={(Renditions) => edit({ Renditions: [...Renditions] })}
          />
        )}
      </Stack>
    </Fieldset>
  )
}
