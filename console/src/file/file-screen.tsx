import { NotFoundError, type MediaFile, type Project } from '@zoetrope/sdk'
import { Skeleton, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { titleOf } from '../library/file-title.tsx'
import { MoveDialog } from '../library/move/move-dialog.tsx'
import { oneFile } from '../library/move/use-move.ts'
import { useTexts } from '../shell/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { hasUnsavedChanges, UnsavedChanges } from '../ui/forms/unsaved-changes.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Screen, type Crumb } from '../ui/screen.tsx'
import { useToasts } from '../ui/toasts.tsx'
import '../ui/styles/split.css'
import { isDraftDirty, type ChaptersDraft } from './chapters/chapters-draft.ts'
import { DeletedFile, LostFile } from './deleted-file.tsx'
import { FileMenuItems, useFileActions } from './file-actions.tsx'
import { FileProblem } from './file-problem.tsx'
import { deletedFileQuery, fileQuery, movedFileQuery, playoutQuery, projectQuery } from './file-query.ts'
import { useFileRights } from './file-rights.ts'
import { FileSections } from './file-sections.tsx'
import { FileStatusLine } from './file-status-line.tsx'
import { MetadataSaveBar } from './metadata/metadata-save-bar.tsx'
import { useMetadataForm } from './metadata/use-metadata-form.ts'
import { PlayerFrame } from './player-frame.tsx'
import { createPlayerLink } from './player-link.ts'
import { ReleaseButton } from './release-button.tsx'
import { ReplaceSource } from './replace-source.tsx'
import { ShareLinks } from './share-links.tsx'
import { TitleEditor } from './title-editor.tsx'

const route = getRouteApi('/inside/projects/$projectId/files/$fileId')

const useCrumbs = (projectId: number, project: Project | undefined): readonly Crumb[] => {
  const t = useTexts('file.screen')
  const label = project === undefined ? '…' : project.Name || t('library')
  return [{ label, to: `/projects/${projectId}/files` }]
}

/** A file that was deleted while it was on the screen. */
interface Gone {
  /** Says so above unsaved changes, which the user may still copy. Null while the file is searched. */
  readonly notice: ReactNode
  /** Replaces a screen without unsaved changes. */
  readonly screen: ReactNode
}

const LoadedFile = ({
  file,
  project,
  gone,
}: {
  readonly file: MediaFile
  readonly project: Project
  readonly gone: Gone | null
}) => {
  const t = useTexts('file.screen')
  const rights = useFileRights(file)
  const form = useMetadataForm(file, project)
  const actions = useFileActions(file)
  const crumbs = useCrumbs(project.Id, project)
  const [isReplacing, replacing] = useDisclosure()
  const [isMoving, moving] = useDisclosure()
  const [isDeleting, deleting] = useDisclosure()
  const [link] = useState(createPlayerLink)
  const [draft, setDraft] = useState<ChaptersDraft | null>(null)
  const [hasCaptionEdits, setCaptionEdits] = useState(false)
  const title = titleOf(file)
  const hasFieldEdits = Object.keys(form.edits).length > 0
  const hasEdits = hasFieldEdits || hasCaptionEdits || isDraftDirty(draft)
  if (gone !== null && !hasEdits) return gone.screen
  const remove = async (): Promise<void> => {
    await actions.remove.mutateAsync()
    form.discard()
    setDraft(null)
  }
  return (
    <Screen
      title={title}
      heading={
        rights.mayEdit && (
          <TitleEditor
            title={title}
            isSaving={form.isSaving}
            // Without a title, the name of the file is shown, which is not the value of the field.
            onSave={(next, before) => form.saveField('Title', next, before === title ? undefined : before)}
          />
        )
      }
      crumbs={crumbs}
      description={gone === null ? <FileStatusLine file={file} /> : undefined}
      actions={gone === null && rights.mayPublish && <ReleaseButton file={file} />}
      menu={
        gone === null &&
        (rights.mayEdit || rights.mayDelete) && (
          <FileMenuItems
            {...{ file, rights, actions }}
            hasEdits={hasEdits}
            onReplace={replacing.open}
            onMove={moving.open}
            onDelete={hasEdits ? deleting.open : () => actions.remove.mutate()}
          />
        )
      }
    >
      {/* The save bar asks about all other edits. */}
      <UnsavedChanges isDirty={isDraftDirty(draft) && !hasFieldEdits} />
      <MoveDialog what={isMoving ? oneFile(file) : null} onClose={moving.close} />
      {/* Without edits, nothing is lost: the screen then offers to restore the file. */}
      <Confirm
        isOpen={isDeleting}
        onClose={deleting.close}
        title={t('deleteTitle')}
        text={t('deleteText')}
        action={t('delete')}
        onConfirm={remove}
      />
      <ReplaceSource file={file} isOpen={isReplacing} onClose={replacing.close} />
      <ProblemAlert error={actions.error} />
      {gone === null ? <FileProblem file={file} rights={rights} /> : gone.notice}
      <div className="split">
        <Stack className="split-aside" gap="sm">
          {/* A replaced source needs a new player. */}
          <PlayerFrame key={file.Timings.UploadedAt} file={file} link={link} />
          <ShareLinks file={file} project={project} />
        </Stack>
        <div className="split-main">
          <FileSections
            {...{ file, project, rights, form, link, draft }}
            lost={gone?.notice ?? null}
            onDraft={setDraft}
            onCaptionEdits={setCaptionEdits}
          />
        </div>
      </div>
      <MetadataSaveBar form={form} isGone={gone !== null} />
    </Screen>
  )
}

/** Opens a file that has moved to another project there. Unsaved changes stay on the screen. */
const useFollowMove = (fileId: number, newProjectId: number | null): void => {
  const t = useTexts('library.move')
  const { done } = useToasts()
  const navigate = useNavigate()
  const project = useQuery({ ...projectQuery(newProjectId ?? 0), enabled: newProjectId !== null })
  const name = project.data?.Name
  useEffect(() => {
    if (newProjectId === null) return
    void navigate({
      to: '/projects/$projectId/files/$fileId',
      params: { projectId: newProjectId, fileId },
      search: true,
      replace: true,
      ignoreBlocker: true,
    })
    // A user without unsaved changes may have moved the file, and was told so.
    if (hasUnsavedChanges() && name !== undefined) done(t('moved', { count: 1, name }))
    // oxlint-disable-next-line react/exhaustive-deps -- once for each move
  }, [fileId, newProjectId])
}

export const FileScreen = () => {
  const t = useTexts('file.screen')
  const { projectId, fileId } = route.useParams()
  const file = useQuery(fileQuery(projectId, fileId))
  const project = useQuery(projectQuery(projectId))
  const crumbs = useCrumbs(projectId, project.data)
  const isPlayable = file.data?.IsPlayable === true
  const playout = useQuery({
    ...playoutQuery({ ProjectId: projectId, Id: fileId }),
    enabled: isPlayable,
  })
  // The player and its links would move what is below. A file that becomes playable later stays on the screen.
  const [shownId, setShownId] = useState<number | null>(null)
  const isWaiting = isPlayable && playout.isPending && shownId !== fileId
  const isGone = file.error instanceof NotFoundError
  const deleted = useQuery({ ...deletedFileQuery(projectId, fileId), enabled: isGone })
  const moved = useQuery({ ...movedFileQuery(fileId), enabled: isGone })
  // An earlier answer may be out of date: the file may have moved back.
  const newProjectId = isGone && !moved.isFetching ? (moved.data?.ProjectId ?? projectId) : projectId
  const isMoved = newProjectId !== projectId
  useFollowMove(fileId, isMoved ? newProjectId : null)
  // A deleted or moved file is no error.
  const isSearched = isGone && (deleted.isPending || moved.isPending || isMoved)
  const error = isSearched ? null : (file.error ?? project.error)
  const retry = (): void => {
    void file.refetch()
    void project.refetch()
  }
  const ids = { projectId, fileId }
  const screen =
    isGone && deleted.data != null ? (
      <Screen title={titleOf(deleted.data)} crumbs={crumbs}>
        <DeletedFile {...ids} purgeAt={deleted.data.PurgeAt} />
      </Screen>
    ) : (
      <Screen title={t('title')} crumbs={crumbs}>
        {error === null ? (
          <div className="split">
            <Skeleton className="file-player-skeleton" />
            <Skeleton h={320} />
          </div>
        ) : (
          <ErrorState error={error} onRetry={retry} />
        )}
      </Screen>
    )
  // Older data stays on the screen while the server is unreachable, and so do unsaved changes of a deleted file.
  if (file.data === undefined || project.data === undefined || (isWaiting && !isGone)) return screen
  if (shownId !== fileId) setShownId(fileId)
  const notice = isSearched ? null : <LostFile {...ids} isInTrash={deleted.data != null} />
  return (
    <LoadedFile
      key={fileId}
      file={file.data}
      project={project.data}
      gone={isGone ? { notice, screen } : null}
    />
  )
}
