import type { MediaFile } from '@zoetrope/sdk'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { titleOf } from '../../library/file-title.tsx'
import { allProjects } from '../../projects/all-projects.ts'
import { useTexts, type Translate } from '../../shell/texts.ts'
import { FileLink } from '../../ui/file-link.tsx'
import { formatNumber } from '../../ui/format.ts'
import { DataTable } from '../../ui/lists/data-table.tsx'
import type { TableColumn } from '../../ui/lists/table-columns.tsx'
import { Section } from '../../ui/section.tsx'
import { useFiles, type Realtime } from '../analytics-queries.ts'

type Playout = Realtime['Playouts'][number]

const PlayoutLink = ({
  playout: { ProjectId, FileId },
  files,
}: {
  readonly playout: Playout
  readonly files: readonly MediaFile[]
}) => {
  const t = useTexts('analytics.live')
  if (FileId === null)
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link {...props} to="/projects/$projectId/live" params={{ projectId: ProjectId }} />
        )}
      >
        {t('stream')}
      </Anchor>
    )
  const file = files.find(({ Id }) => Id === FileId)
  const title = file === undefined ? t('file', { id: FileId }) : titleOf(file)
  return (
    <FileLink
      className="breakdown-name"
      projectId={ProjectId}
      fileId={FileId}
      size="sm"
      display="block"
      truncate
      title={title}
    >
      {title}
    </FileLink>
  )
}

const columnsOf = (
  t: Translate<'analytics.live'>,
  files: readonly MediaFile[],
  projectName: (id: number) => string,
): TableColumn<Playout>[] => [
  { key: 'what', header: t('what'), cell: (playout) => <PlayoutLink {...{ playout, files }} /> },
  { key: 'project', header: t('project'), cell: ({ ProjectId }) => projectName(ProjectId), width: 220 },
  {
    ...{ key: 'viewers', header: t('viewers'), align: 'end', width: 120 },
    cell: ({ Viewers }) => formatNumber(Viewers),
  },
]

/** What the viewers of this moment play, the most watched first. */
export const PlayingNow = ({ playouts }: { readonly playouts: readonly Playout[] }) => {
  const t = useTexts('analytics.live')
  const { data: projects = [] } = useQuery(allProjects)
  const { files, isPending } = useFiles(playouts.flatMap(({ FileId }) => (FileId === null ? [] : [FileId])))
  const projectName = (id: number): string => projects.find(({ Id }) => Id === id)?.Name ?? String(id)
  return (
    <Section title={t('playing')}>
      <DataTable
        id="analytics-playing"
        label={t('playing')}
        isLoading={isPending}
        skeletonRows={playouts.length}
        rows={playouts}
        keyOf={({ ProjectId, FileId }) => `${ProjectId}-${FileId}`}
        columns={columnsOf(t, files, projectName)}
      />
    </Section>
  )
}
