import { Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { projectQuery } from '../file/file-query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { SectionTabs } from '../ui/layout/section-tabs.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Screen } from '../ui/screen.tsx'
import { StatusBadge } from '../ui/status-badge.tsx'
import '../ui/styles/split.css'
import { EmbedPart } from './embed-part.tsx'
import { HealthPart } from './health-part.tsx'
import { LiveBoard } from './live-board.tsx'
import { LiveControls, StopDialog, StopItem } from './live-controls.tsx'
import { LivePreview } from './live-preview.tsx'
import { ingestQuery, outputQuery, statusQuery, type LiveStatus } from './live-queries.ts'
import { LogPart } from './log-part.tsx'
import { RecordingsPart } from './recordings-part.tsx'
import { StreamNotices } from './stream-notices.tsx'
import { EncoderPart } from './settings/encoder-part.tsx'
import { SettingsPart } from './settings/settings-part.tsx'
import { TargetsPart } from './settings/targets-part.tsx'
import { ViewersPart } from './viewers-part.tsx'

const parts = ['encoder', 'viewers', 'settings', 'recordings', 'targets', 'embed', 'log'] as const
const tones = { offline: 'neutral', connected: 'warning', online: 'live', reconnecting: 'warning' } as const

export const LiveScreen = () => {
  const { projectId } = useParams({ from: '/inside/projects/$projectId/live' })
  return <Room key={projectId} projectId={projectId} />
}

const StateBadge = ({ status: { State, Recording } }: { readonly status: LiveStatus }) => {
  const t = useTexts('live.board')
  return (
    <>
      <StatusBadge tone={tones[State]}>{t(State)}</StatusBadge>
      {Recording?.State === 'recording' && <StatusBadge tone="danger">{t('recording')}</StatusBadge>}
    </>
  )
}

const Room = ({ projectId }: { readonly projectId: number }) => {
  const t = useTexts('live.screen')
  const can = useCan(projectId)
  const [address, go] = useAddress()
  const [isStopping, stopping] = useDisclosure()
  const { data: project } = useQuery(projectQuery(projectId))
  const status = useQuery(statusQuery(projectId))
  const ingest = useQuery(ingestQuery(projectId))
  const output = useQuery(outputQuery(projectId))
  const shown = can('analytics:read') ? parts : parts.filter((name) => name !== 'viewers')
  const part = shown.find((one) => one === address['part']) ?? 'encoder'
  const mayControl = can('live:control')
  const error = status.error ?? ingest.error ?? output.error
  const retry = (): void => {
    for (const query of [status, ingest, output]) void query.refetch()
  }
  const crumbs = [{ label: project?.Name ?? '…', to: `/projects/${projectId}/files` }]
  const title = ingest.data?.Title || t('title')
  if (status.data === undefined || ingest.data === undefined || output.data === undefined)
    return (
      <Screen title={title} crumbs={crumbs}>
        {error === null ? <Skeleton h={320} /> : <ErrorState error={error} onRetry={retry} />}
      </Screen>
    )
  const panels: Readonly<Record<(typeof parts)[number], ReactNode>> = {
    encoder: <EncoderPart ingest={ingest.data} mayReset={can('live:keys')} />,
    viewers: <ViewersPart projectId={projectId} />,
    settings: <SettingsPart ingest={ingest.data} mayWrite={mayControl} />,
    recordings: <RecordingsPart projectId={projectId} />,
    targets: <TargetsPart status={status.data} mayWrite={mayControl} />,
    embed: <EmbedPart output={output.data} />,
    log: <LogPart projectId={projectId} />,
  }
  return (
    <Screen
      title={title}
      crumbs={crumbs}
      status={<StateBadge status={status.data} />}
      actions={mayControl && <LiveControls status={status.data} ingest={ingest.data} />}
      menu={mayControl && <StopItem status={status.data} onStop={stopping.open} />}
    >
      <StopDialog projectId={projectId} isOpen={isStopping} onClose={stopping.close} />
      <ProblemAlert error={error} onRetry={retry} />
      <LiveBoard status={status.data} ingest={ingest.data} />
      <StreamNotices ingest={ingest.data} mayControl={mayControl} />
      <div className="split">
        <LivePreview output={output.data} />
        <HealthPart status={status.data} measuredAt={status.dataUpdatedAt} />
      </div>
      <SectionTabs
        label={t('tabs')}
        sections={shown.map((name) => ({ name, title: t(name), panel: panels[name] }))}
        open={part}
        onOpen={(name) => go({ part: name === 'encoder' ? undefined : name })}
      />
    </Screen>
  )
}
