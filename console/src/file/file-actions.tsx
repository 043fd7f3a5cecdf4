import type { MediaFile } from '@zoetrope/sdk'
import { Menu, Text } from '@mantine/core'
import { IconFolderSymlink, IconRefresh, IconReplace, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import type { FileRights } from './file-rights.ts'

/** Deleting needs no confirmation, because the screen then offers to restore the file. */
export const useFileActions = (file: MediaFile) => {
  const queryClient = useQueryClient()
  const key = queryKeys.file(file.ProjectId, file.Id)
  const again = useMutation({
    mutationFn: () => zoetrope.files.retry(file.ProjectId, file.Id, { force: true }),
    onSuccess: (next) => queryClient.setQueryData(key, next),
  })
  const remove = useMutation({
    mutationFn: () => zoetrope.files.delete(file.ProjectId, file.Id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key, exact: true }),
  })
  return { again, remove, error: again.error ?? remove.error }
}

export const FileMenuItems = ({
  file,
  rights,
  actions: { again },
  hasEdits,
  onReplace,
  onMove,
  onDelete,
}: {
  readonly file: MediaFile
  readonly rights: FileRights
  readonly actions: ReturnType<typeof useFileActions>
  /** The screen of the file in its new project begins without unsaved changes. */
  readonly hasEdits: boolean
  readonly onReplace: () => void
  readonly onMove: () => void
  readonly onDelete: () => void
}) => {
  const t = useTexts('file.actions')
  return (
    <>
      {rights.mayEdit && (
        <Menu.Item leftSection={<IconReplace size={16} aria-hidden />} onClick={onReplace}>
          {t('replace')}
        </Menu.Item>
      )}
      {rights.mayEdit && file.IsFinished && (
        <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => again.mutate()}>
          {t('again')}
        </Menu.Item>
      )}
      {rights.mayDelete && (
        <Menu.Item
          leftSection={<IconFolderSymlink size={16} aria-hidden />}
          disabled={hasEdits}
          onClick={onMove}
        >
          {t('move')}
          {hasEdits && <Text size="xs">{t('saveFirst')}</Text>}
        </Menu.Item>
      )}
      {rights.mayDelete && (
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={onDelete}
        >
          {t('delete')}
        </Menu.Item>
      )}
    </>
  )
}
