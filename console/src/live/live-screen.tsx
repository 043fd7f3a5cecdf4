import { Grid, Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Screen } from '../ui/screen.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { EmbedPart } from './embed-part.tsx'
import { EncoderPart } from './settings/encoder-part.tsx'
import { HealthPart } from './health-part.tsx'
import { LiveControls } from './live-controls.tsx'
import { LivePreview } from './live-preview.tsx'
import { ingestQuery, outputQuery, statusQuery } from './live-queries.ts'
import { LiveState } from './live-state.tsx'
import { LogPart } from './log-part.tsx'
import { RecordingsPart } from './recordings-part.tsx'
import { SettingsPart } from './settings/settings-part.tsx'
import { TargetsPart } from './settings/targets-part.tsx'

const parts = ['encoder', 'settings', 'recordings', 'targets', 'embed', 'log'] as const

export const LiveScreen = () => {
  const t = useTexts('live.screen')
  const { projectId } = useParams({ from: '/inside/projects/$projectId/live' })
  return (
    <Screen title={t('title')}>
      <Room key={projectId} projectId={projectId} />
    </Screen>
  )
}

const Room = ({ projectId }: { readonly projectId: number }) => {
  const t = useTexts('live.screen')
  const can = useCan(projectId)
  const [address, go] = useAddress()
  const status = useQuery(statusQuery(projectId))
  const ingest = useQuery(ingestQuery(projectId))
  const output = useQuery(outputQuery(projectId))
  const part = parts.find((one) => one === address['part']) ?? 'encoder'
  const mayControl = can('live:control')
  const error = status.error ?? ingest.error ?? output.error
  const retry = (): void => {
    for (const query of [status, ingest, output]) void query.refetch()
  }
  if (status.data === undefined || ingest.data === undefined || output.data === undefined)
    return <ProblemAlert error={error} onRetry={retry} />
  return (
    <Stack>
      <ProblemAlert error={error} onRetry={retry} />
      <LiveState status={status.data} ingest={ingest.data} />
      {mayControl && <LiveControls status={status.data} ingest={ingest.data} />}
      <Grid>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <LivePreview output={output.data} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <HealthPart status={status.data} measuredAt={status.dataUpdatedAt} />
        </Grid.Col>
      </Grid>
      <Tabs
        value={part}
        keepMounted={false}
        onChange={(value) => go({ part: value === 'encoder' ? undefined : (value ?? undefined) })}
      >
        <Tabs.List aria-label={t('tabs')} mb="md">
          {parts.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="encoder">
          <EncoderPart ingest={ingest.data} mayReset={can('live:keys')} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <SettingsPart ingest={ingest.data} mayWrite={mayControl} />
        </Tabs.Panel>
        <Tabs.Panel value="recordings">
          <RecordingsPart projectId={projectId} />
        </Tabs.Panel>
        <Tabs.Panel value="targets">
          <TargetsPart status={status.data} mayWrite={mayControl} />
        </Tabs.Panel>
        <Tabs.Panel value="embed">
          <EmbedPart output={output.data} />
        </Tabs.Panel>
        <Tabs.Panel value="log">
          <LogPart projectId={projectId} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}
