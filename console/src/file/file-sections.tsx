import type { MediaFile, Project } from '@zoetrope/sdk'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Dispatch, ReactNode, SetStateAction } from 'react'
import { FileAnalyticsPanel } from '../analytics/file/file-analytics-panel.tsx'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { CaptionsPanel } from './captions/captions-panel.tsx'
import type { ChaptersDraft } from './chapters/chapters-draft.ts'
import { DeliveryPanel } from './delivery/delivery-panel.tsx'
import type { FileRights } from './file-rights.ts'
import { HistoryPanel } from './history/history-panel.tsx'
import { MetadataPanel } from './metadata/metadata-panel.tsx'
import type { MetadataForm } from './metadata/use-metadata-form.ts'
import { OverviewPanel } from './overview/overview-panel.tsx'
import { PicturesPanel } from './pictures-panel.tsx'
import type { PlayerLink } from './player-link.ts'
import { SectionTabs } from '../ui/layout/section-tabs.tsx'

const sections = ['overview', 'details', 'captions', 'pictures', 'delivery', 'analytics', 'activity'] as const
type Name = (typeof sections)[number]

const route = getRouteApi('/inside/projects/$projectId/files/$fileId')

/** The open section is part of the URL. */
export const FileSections = ({
  file,
  project,
  rights,
  form,
  link,
  draft,
  lost,
  onDraft,
  onCaptionEdits,
}: {
  readonly file: MediaFile
  readonly project: Project
  readonly rights: FileRights
  readonly form: MetadataForm
  readonly link: PlayerLink
  readonly draft: ChaptersDraft | null
  /** Says that another user has deleted the file. Null = the file is there. */
  readonly lost: ReactNode
  readonly onDraft: Dispatch<SetStateAction<ChaptersDraft | null>>
  readonly onCaptionEdits: (areThere: boolean) => void
}) => {
  const t = useTexts('file.sections')
  const search = route.useSearch()
  const params = route.useParams()
  const navigate = useNavigate()
  const can = useCan(file.ProjectId)
  const shown = sections.filter((name) => name !== 'analytics' || can('analytics:read'))
  const open = shown.find((name) => name === search['tab']) ?? 'overview'
  const go = (name: Name): void =>
    void navigate({
      to: '/projects/$projectId/files/$fileId',
      params,
      search: name === 'overview' ? {} : { tab: name },
      replace: true,
      resetScroll: false,
    })
  const panels: Readonly<Record<Name, ReactNode>> = {
    overview: (
      <OverviewPanel
        {...{ file, rights, link }}
        onEdit={() => go('details')}
        onShowActivity={() => go('activity')}
      />
    ),
    details: <MetadataPanel form={form} rights={rights} />,
    captions: <CaptionsPanel {...{ file, rights, link, draft, lost, onDraft }} onEdits={onCaptionEdits} />,
    pictures: <PicturesPanel {...{ file, link, rights }} />,
    delivery: <DeliveryPanel {...{ file, project }} />,
    analytics: <FileAnalyticsPanel file={file} onSeek={link.seek} />,
    activity: <HistoryPanel file={file} />,
  }
  return (
    <SectionTabs
      label={t('label')}
      sections={shown.map((name) => ({ name, title: t(name), panel: panels[name] }))}
      open={open}
      onOpen={go}
    />
  )
}
