import { Menu } from '@mantine/core'
import { IconFolderSymlink, IconTrash } from '@tabler/icons-react'
import type { MediaFile } from '@zoetrope/sdk'
import { useTexts } from '../shell/texts.ts'
import { RowMenu } from '../ui/menu/row-menu.tsx'
import { titleOf } from './file-title.tsx'

/** Actions on one file of a list. */
export interface FileActions {
  readonly move: (file: MediaFile) => void
  readonly remove: (file: MediaFile) => void
}

export const FileMenu = ({
  file,
  actions: { move, remove },
}: {
  readonly file: MediaFile
  readonly actions: FileActions
}) => {
  const t = useTexts('library.fileMenu')
  return (
    <RowMenu label={t('label', { name: titleOf(file) })}>
      <Menu.Item leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={() => move(file)}>
        {t('move')}
      </Menu.Item>
      <Menu.Item
        c="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => remove(file)}
      >
        {t('delete')}
      </Menu.Item>
    </RowMenu>
  )
}
