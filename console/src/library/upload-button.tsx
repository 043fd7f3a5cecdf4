import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconFolder, IconLink, IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTexts } from '../shell/texts.ts'
import { useHint } from '../ui/hint.tsx'
import { LazyMenu } from '../ui/menu/lazy-menu.tsx'
import { isMedia } from '../uploads/dropped-files.ts'
import { PullDialog } from '../uploads/pull-dialog.tsx'

export const UploadButton = ({
  projectId,
  onFiles,
}: {
  readonly projectId: number
  readonly onFiles: (files: readonly File[]) => void
}) => {
  const t = useTexts('library.screen')
  const { target, hint } = useHint(() => t('more'))
  const filesInput = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  const [isPulling, { open, close }] = useDisclosure()
  const take = (input: HTMLInputElement, isFolder: boolean): void => {
    const files = [...(input.files ?? [])]
    onFiles(isFolder ? files.filter(isMedia) : files)
    // Lets the user choose the same file again.
    input.value = ''
  }
  return (
    <Group gap={4} wrap="nowrap">
      <input
        ref={filesInput}
        type="file"
        multiple
        hidden
        onChange={(event) => take(event.currentTarget, false)}
      />
      <input
        ref={folderInput}
        type="file"
        {...{ webkitdirectory: '' }}
        hidden
        onChange={(event) => take(event.currentTarget, true)}
      />
      <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => filesInput.current?.click()}>
        {t('upload')}
      </Button>
      <LazyMenu
        render={(props) => (
          <ActionIcon size="input-sm" aria-label={t('more')} {...target} {...props}>
            <IconChevronDown size={18} aria-hidden />
          </ActionIcon>
        )}
      >
        <Menu.Item
          leftSection={<IconFolder size={16} aria-hidden />}
          onClick={() => folderInput.current?.click()}
        >
          {t('uploadFolder')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={open}>
          {t('fetch')}
        </Menu.Item>
      </LazyMenu>
      {hint}
      <PullDialog projectId={projectId} isOpen={isPulling} onClose={close} />
    </Group>
  )
}
