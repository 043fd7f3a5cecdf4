import { Grid, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { RecordSaveBar } from '../../ui/forms/record/record-save-bar.tsx'
import { useRecordForm } from '../../ui/forms/record/use-record-form.ts'
import { formatNumber } from '../../ui/format.ts'
import { ingestQuery, type LiveIngest } from '../live-queries.ts'
import {
  IncomingFields,
  StreamFields,
  ViewerFields,
  type LiveSettings,
  type StreamKind,
} from './settings-fields.tsx'

const settingsOf = (ingest: LiveIngest): LiveSettings => ({
  Title: ingest.Title,
  BoardText: ingest.BoardText,
  EndedText: ingest.EndedText,
  ReleaseStatus: ingest.ReleaseStatus,
  IsEnabled: ingest.IsEnabled,
  AutoRecording: ingest.AutoRecording,
  StreamInType: ingest.StreamInType,
  StreamInURI: ingest.StreamInURI,
  ReconnectWindow: ingest.ReconnectWindow,
  UseLowLatency: ingest.UseLowLatency,
  TimeshiftDuration: ingest.TimeshiftDuration,
  AutomaticTranscoding: ingest.AutomaticTranscoding,
  Renditions: ingest.Renditions,
})

const useSettings = (ingest: LiveIngest) => {
  const client = useQueryClient()
  const { ProjectId } = ingest
  const query = ingestQuery(ProjectId)
  return useRecordForm({
    record: ingest,
    valuesOf: settingsOf,
    reload: () => client.fetchQuery({ ...query, staleTime: 0 }),
    update: ({ changed }, options) => zoetrope.live.updateIngest(ProjectId, changed, options),
    store: (saved) => {
      client.setQueryData(query.queryKey, saved)
      void client.invalidateQueries({ queryKey: queryKeys.live(ProjectId) })
    },
  })
}

const LiveSaveBar = ({ form }: { readonly form: ReturnType<typeof useSettings> }) => {
  const t = useTexts('live.settings')
  const statusNames = useTexts('ui.releaseStatus')
  const labelOf = (name: string): string => {
    if (name === 'ReleaseStatus') return statusNames('label')
    return t(
      name === 'Renditions'
        ? 'ladder'
        : (name as Exclude<keyof LiveSettings, 'ReleaseStatus' | 'Renditions'>),
    )
  }
  const renderValue = (name: string, value: unknown): string => {
    if (name === 'Renditions')
      return (value as LiveSettings['Renditions'])
        .map(({ Height, VideoBitRate: rate }) =>
          rate === undefined ? `${Height}p` : `${Height}p, ${formatNumber(rate / 1_000)} kbit/s`,
        )
        .join('; ')
    if (name === 'ReleaseStatus') return statusNames(value as LiveSettings['ReleaseStatus'])
    if (name === 'StreamInType') return t(value as StreamKind)
    return typeof value === 'boolean' ? t(value ? 'on' : 'off') : String(value)
  }
  return <RecordSaveBar form={form} section="part" labelOf={labelOf} renderValue={renderValue} />
}

/** The settings of `PUT live/ingest`. */
export const SettingsPart = ({
  ingest,
  mayWrite,
}: {
  readonly ingest: LiveIngest
  readonly mayWrite: boolean
}) => {
  const t = useTexts('live.settings')
  const form = useSettings(ingest)
  const fields = { form, mayWrite }
  return (
    <form onSubmit={form.submit}>
      <Stack>
        {!mayWrite && <Text>{t('readOnly')}</Text>}
        <Grid>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Stack>
              <StreamFields {...fields} />
              <IncomingFields {...fields} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <ViewerFields {...fields} />
          </Grid.Col>
        </Grid>
        <Text size="sm" role="status">
          {t(ingest.IsSynced ? 'synced' : 'notSynced')}
        </Text>
        <LiveSaveBar form={form} />
      </Stack>
    </form>
  )
}
