import { NotFoundError, type MediaFile, type Project } from '@zoetrope/sdk'
import { Grid, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Screen } from '../ui/screen.tsx'
import { isDraftDirty, type ChaptersDraft } from './chapters/chapters-draft.ts'
import { DeletedFile } from './deleted-file.tsx'
import { FileActions } from './file-actions.tsx'
import { deletedFileQuery, fileQuery, projectQuery } from './file-query.ts'
import { useFileRights } from './file-rights.ts'
import { FileTabs } from './file-tabs.tsx'
import { UnsavedChanges } from './metadata/unsaved-changes.tsx'
import { useMetadataForm } from './metadata/use-metadata-form.ts'
import { PlayerFrame } from './player-frame.tsx'
import { createPlayerLink } from './player-link.ts'
import { ReleaseNotice } from './release-notice.tsx'
import { StatusPanel } from './status-panel.tsx'

const route = getRouteApi('/inside/projects/$projectId/files/$fileId')

const LoadedFile = ({ file, project }: { readonly file: MediaFile; readonly project: Project }) => {
  const rights = useFileRights(file)
  const form = useMetadataForm(file, project)
  const [link] = useState(createPlayerLink)
  const [draft, setDraft] = useState<ChaptersDraft | null>(null)
  return (
    <Screen
      title={file.Metadata.Title || file.Metadata.OriginalFileName || file.Name}
      actions={<FileActions file={file} rights={rights} />}
    >
      <UnsavedChanges isDirty={form.editedNames.length > 0 || isDraftDirty(draft)} />
      <Grid maw={1_800}>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack className="file-aside">
            {/* A replaced source needs a new player. */}
            <PlayerFrame key={file.Timings.UploadedAt} file={file} link={link} />
            <ReleaseNotice file={file} rights={rights} />
            <StatusPanel file={file} rights={rights} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <FileTabs {...{ file, project, rights, form, link, draft }} onDraft={setDraft} />
        </Grid.Col>
      </Grid>
    </Screen>
  )
}

export const FileScreen = () => {
  const t = useTexts('file.screen')
  const { projectId, fileId } = route.useParams()
  const file = useQuery(fileQuery(projectId, fileId))
  const project = useQuery(projectQuery(projectId))
  const isGone = file.error instanceof NotFoundError
  const deleted = useQuery({ ...deletedFileQuery(projectId, fileId), enabled: isGone })
  if (isGone && deleted.data != null)
    return (
      <Screen title={deleted.data.Metadata.Title || deleted.data.Name}>
        <DeletedFile projectId={projectId} fileId={fileId} />
      </Screen>
    )
  // Older data stays on the screen while the server is unreachable.
  if (file.data !== undefined && project.data !== undefined && !isGone)
    return <LoadedFile key={fileId} file={file.data} project={project.data} />
  const error = file.error ?? project.error
  const retry = (): void => {
    void file.refetch()
    void project.refetch()
  }
  return (
    <Screen title={t('title')}>
      {error === null ? <Skeleton h={320} /> : <ProblemAlert error={error} onRetry={retry} />}
    </Screen>
  )
}
