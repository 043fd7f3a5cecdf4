import type { MediaFile } from '@zoetrope/sdk'
import { ActionIcon, Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconEdit, IconListNumbers, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type Dispatch, type ReactNode, type SetStateAction } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { currentLanguage, useTexts, type Translate } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ownUrl } from '../../ui/embed/own-url.ts'
import { messageText } from '../../shell/reason-text.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import type { TableColumn } from '../../ui/lists/table-columns.tsx'
import { DataTable } from '../../ui/lists/data-table.tsx'
import { playoutQuery } from '../file-query.ts'
import type { FileRights } from '../file-rights.ts'
import type { PlayerLink } from '../player-link.ts'
import { languageName } from '../languages.ts'
import { ChaptersEditor } from '../chapters/chapters-editor.tsx'
import { draftOf, newDraft, type ChaptersDraft } from '../chapters/chapters-draft.ts'
import type { OpenCaption } from './caption-values.ts'
import { EditCaption } from './edit-caption.tsx'
import { loadCaption } from './load-caption.ts'
import { NewCaption } from './new-caption.tsx'

type Caption = MediaFile['Captions'][number]

const columnsOf = (
  t: Translate<'file.captions'>,
  actionsOf: (caption: Caption) => ReactNode,
): TableColumn<Caption>[] => [
  {
    ...{ key: 'language', header: t('language') },
    cell: ({ Language }) => languageName(Language),
  },
  {
    ...{ key: 'label', header: t('label'), wraps: true, width: 116 },
    cell: ({ Label, IsDefault, Origin }) => (
      <Group gap="xs">
        {Label}
        {IsDefault && (
          <Badge variant="dot" color="green">
            {t('default')}
          </Badge>
        )}
        {Origin === 'source' && (
          <Badge variant="outline" color="gray">
            {t('fromSource')}
          </Badge>
        )}
      </Group>
    ),
  },
  { key: 'kind', header: t('kind'), width: 84, cell: ({ Kind }) => t(Kind) },
  {
    ...{ key: 'actions', header: t('actions'), isHeaderHidden: true, align: 'end', width: 112 },
    cell: actionsOf,
  },
]

/** Captions of drafts are only readable through the signed links of a preview. */
const useCaptionUrls = (file: MediaFile): ReadonlyMap<number, string> => {
  const { data } = useQuery(playoutQuery(file))
  return new Map(data?.Preview.Captions.map(({ Id, URI }) => [Id, ownUrl(URI)]))
}

export const CaptionsPanel = ({
  file,
  rights,
  link,
  draft,
  lost,
  onDraft,
  onEdits,
}: {
  readonly file: MediaFile
  readonly rights: FileRights
  readonly link: PlayerLink
  readonly draft: ChaptersDraft | null
  /** Says that another user has deleted the file. Null = the file is there. */
  readonly lost: ReactNode
  readonly onDraft: Dispatch<SetStateAction<ChaptersDraft | null>>
  /** Reports whether a dialog has unsaved text, with which the panel must stay. */
  readonly onEdits: (areThere: boolean) => void
}) => {
  const t = useTexts('file.captions')
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<OpenCaption | 'new' | null>(null)
  const [deleting, setDeleting] = useState<number | null>(null)
  const urls = useCaptionUrls(file)
  const addChapters = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  // Returns the focus to the button that opened the editor.
  useEffect(() => {
    if (wasOpen.current && draft === null) addChapters.current?.focus()
    wasOpen.current = draft !== null
  }, [draft])
  // A dialog that is removed at once does not return the focus.
  const opener = useRef<HTMLElement>(null)
  useEffect(() => {
    if (open === null) opener.current?.focus()
  }, [open])
  const reload = async (id: number): Promise<OpenCaption> => {
    const loaded = await loadCaption(queryClient, file, id)
    setOpen(loaded)
    return loaded
  }
  const edit = useMutation({
    mutationFn: (id: number) => loadCaption(queryClient, file, id),
    onSuccess: (found) =>
      found.record.Kind === 'chapters' ? onDraft(draftOf(found.record, found.text)) : setOpen(found),
  })
  const actionsOf = ({ Id, Language, Label, Kind }: Caption): ReactNode => {
    const url = urls.get(Id)
    return (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        {url !== undefined && (
          <ActionIcon
            component="a"
            href={url}
            download={`${file.Id}.${Language}.vtt`}
            variant="subtle"
            color="gray"
            aria-label={t('download', { label: Label })}
          >
            <IconDownload size={18} aria-hidden />
          </ActionIcon>
        )}
        {rights.mayEdit && url !== undefined && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('edit', { label: Label })}
            loading={edit.isPending && edit.variables === Id}
            // Prevents a click from discarding a draft of other chapters.
            disabled={Kind === 'chapters' && draft !== null}
            onClick={({ currentTarget }) => {
              opener.current = currentTarget
              edit.mutate(Id)
            }}
          >
            <IconEdit size={18} aria-hidden />
          </ActionIcon>
        )}
        {rights.mayEdit && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('deleteThis', { label: Label })}
            onClick={() => setDeleting(Id)}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    )
  }
  return (
    <Stack align="stretch">
      <Group justify="space-between">
        <Text size="sm">{t('advice')}</Text>
        {rights.mayEdit && (
          <Group gap="xs">
            <Button
              ref={addChapters}
              variant="default"
              leftSection={<IconListNumbers size={18} aria-hidden />}
              disabled={draft !== null}
              onClick={() => onDraft(newDraft(currentLanguage()))}
            >
              {t('addChapters')}
            </Button>
            <Button
              leftSection={<IconPlus size={18} aria-hidden />}
              onClick={({ currentTarget }) => {
                opener.current = currentTarget
                setOpen('new')
              }}
            >
              {t('add')}
            </Button>
          </Group>
        )}
      </Group>
      <ProblemAlert error={edit.error} />
      {file.Warnings.length > 0 && (
        <Alert color="yellow" variant="outline" title={t('notConverted')}>
          {file.Warnings.map(({ Message, Reason, Params }) => (
            <Text key={Message} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {messageText(Message, Reason, Params)}
            </Text>
          ))}
        </Alert>
      )}
      {file.Captions.length === 0 ? (
        draft === null && <EmptyState picture="film" title={t('none')} />
      ) : (
        <DataTable<Caption>
          id="captions"
          label={t('table')}
          rows={file.Captions}
          keyOf={({ Id }) => Id}
          columns={columnsOf(t, actionsOf)}
        />
      )}
      {draft !== null && rights.mayEdit && (
        <ChaptersEditor file={file} draft={draft} link={link} onChange={onDraft} />
      )}
      {open === 'new' && <NewCaption {...{ file, lost, onEdits }} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'new' && (
        <EditCaption
          {...{ file, lost, onEdits }}
          caption={open}
          reload={() => reload(open.record.Id)}
          onClose={() => setOpen(null)}
        />
      )}
      <Confirm
        isOpen={deleting !== null}
        onClose={() => setDeleting(null)}
        title={t('deleteTitle')}
        text={t('deleteText')}
        action={t('delete')}
        onConfirm={async () => {
          if (deleting !== null) await zoetrope.captions.delete(file.ProjectId, file.Id, deleting)
          if (draft?.record?.Id === deleting) onDraft(null)
          await queryClient.invalidateQueries({ queryKey: queryKeys.file(file.ProjectId, file.Id) })
        }}
      />
    </Stack>
  )
}
