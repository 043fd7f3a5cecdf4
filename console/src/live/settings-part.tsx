import {
  Button,
  Fieldset,
  Grid,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import { metaOf } from '@zoetrope/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { fieldErrors } from '../ui/field-errors.ts'
import { formatNumber } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { ReleaseSelect } from '../ui/release-status.tsx'
import { ingestQuery, type IngestChange, type LiveIngest } from './live-queries.ts'
import { RungsField } from './rungs-field.tsx'
import { useSettingsWords } from './settings-words.ts'

const kinds = ['rtmp', 'srt', 'rtmp-pull', 'srt-pull', 'hls-pull'] as const
const longestTimeshiftSeconds = 14_400
const longestReconnectSeconds = 600

/** What `PUT live/ingest` takes. What was changed lies over what is stored, so that a change from elsewhere takes nothing away. */
export const SettingsPart = ({
  ingest,
  mayWrite,
}: {
  readonly ingest: LiveIngest
  readonly mayWrite: boolean
}) => {
  const t = useSettingsWords()
  const client = useQueryClient()
  const [edits, setEdits] = useState<IngestChange>({})
  const { ProjectId } = ingest
  const save = useMutation({
    mutationFn: () => {
      const etag = metaOf(ingest)?.etag
      return zoetrope.live.updateIngest(ProjectId, edits, etag == null ? {} : { ifMatch: etag })
    },
    onSuccess: async (changed) => {
      setEdits({})
      client.setQueryData(ingestQuery(ProjectId).queryKey, changed)
      await client.invalidateQueries({ queryKey: queryKeys.live(ProjectId) })
    },
    onError: () => client.invalidateQueries({ queryKey: ingestQuery(ProjectId).queryKey }),
  })
  const edit = (more: IngestChange): void => setEdits({ ...edits, ...more })
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  const isEdited = Object.keys(edits).length > 0
  const shown = { ...ingest, ...edits } as LiveIngest
  const form = { shown, edit, errors: fieldErrors(save.error) }
  return (
    <form onSubmit={submit}>
      <Stack>
        {!mayWrite && <Text>{t('readOnly')}</Text>}
        <Grid>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Stack>
              <StreamFields {...form} mayWrite={mayWrite} />
              <IncomingFields {...form} mayWrite={mayWrite} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <ViewerFields {...form} mayWrite={mayWrite} />
          </Grid.Col>
        </Grid>
        <ProblemAlert error={save.error} />
        {mayWrite && (
          <Group>
            <Button type="submit" disabled={!isEdited} loading={save.isPending}>
              {t('save')}
            </Button>
            {isEdited && (
              <Button
                variant="default"
                onClick={() => {
                  setEdits({})
                  save.reset()
                }}
              >
                {t('discard')}
              </Button>
            )}
          </Group>
        )}
        <Text size="sm" role="status">
          {save.isSuccess && !isEdited ? `${t('saved')} ` : ''}
          {t(ingest.IsSynced ? 'synced' : 'notSynced')}
        </Text>
      </Stack>
    </form>
  )
}

interface Fields {
  readonly shown: LiveIngest
  readonly edit: (change: IngestChange) => void
  readonly errors: Readonly<Record<string, string>>
  readonly mayWrite: boolean
}

const StreamFields = ({ shown, edit, errors, mayWrite }: Fields) => {
  const t = useSettingsWords()
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

const IncomingFields = ({ shown, edit, errors, mayWrite }: Fields) => {
  const t = useSettingsWords()
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

const ViewerFields = ({ shown, edit, errors, mayWrite }: Fields) => {
  const t = useSettingsWords()
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
