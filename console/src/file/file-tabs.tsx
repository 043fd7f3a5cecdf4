import type { MediaFile, Project } from '@zoetrope/sdk'
import { Tabs } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Dispatch, ReactNode, SetStateAction } from 'react'
import { useTexts } from '../shell/texts.ts'
import { CaptionsPanel } from './captions/captions-panel.tsx'
import type { ChaptersDraft } from './chapters/chapters-draft.ts'
import { ClipsPanel } from './clips-panel.tsx'
import { EmbedPanel } from './embed/embed-panel.tsx'
import type { FileRights } from './file-rights.ts'
import { HistoryPanel } from './history/history-panel.tsx'
import { MetadataPanel } from './metadata/metadata-panel.tsx'
import type { MetadataForm } from './metadata/use-metadata-form.ts'
import { PicturesPanel } from './pictures-panel.tsx'
import type { PlayerLink } from './player-link.ts'
import { PlayoutPanel } from './playout-panel.tsx'
import { RenditionsPanel } from './renditions-panel.tsx'

const tabs = [
  ...(['metadata', 'pictures', 'captions', 'renditions'] as const),
  ...(['playout', 'embed', 'clips', 'history'] as const),
]
type Tab = (typeof tabs)[number]

const route = getRouteApi('/inside/projects/$projectId/files/$fileId')

/** The open tab is part of the URL. */
export const FileTabs = ({
  file,
  project,
  rights,
  form,
  link,
  draft,
  onDraft,
}: {
  readonly file: MediaFile
  readonly project: Project
  readonly rights: FileRights
  readonly form: MetadataForm
  readonly link: PlayerLink
  readonly draft: ChaptersDraft | null
  readonly onDraft: Dispatch<SetStateAction<ChaptersDraft | null>>
}) => {
  const t = useTexts('file.tabs')
  const search = route.useSearch()
  const params = route.useParams()
  const navigate = useNavigate()
  const open = tabs.find((tab) => tab === search['tab']) ?? 'metadata'
  const panels: Readonly<Record<Tab, ReactNode>> = {
    metadata: <MetadataPanel form={form} rights={rights} />,
    pictures: <PicturesPanel file={file} link={link} rights={rights} />,
    captions: <CaptionsPanel {...{ file, rights, link, draft, onDraft }} />,
    renditions: <RenditionsPanel file={file} />,
    playout: <PlayoutPanel file={file} project={project} />,
    embed: <EmbedPanel file={file} project={project} />,
    clips: <ClipsPanel file={file} link={link} />,
    history: <HistoryPanel file={file} />,
  }
  return (
    <Tabs
      value={open}
      keepMounted={false}
      onChange={(tab) =>
        void navigate({
          to: '/projects/$projectId/files/$fileId',
          params,
          search: tab === null || tab === 'metadata' ? {} : { tab },
          replace: true,
        })
      }
    >
      <Tabs.List aria-label={t('label')} mb="md">
        {tabs.map((tab) => (
          <Tabs.Tab key={tab} value={tab} px={6}>
            {t(tab)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab} value={tab}>
          {panels[tab]}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
