import type { MediaFile } from '@zoetrope/sdk'
import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconRefresh, IconReplace, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import type { FileRights } from './file-rights.ts'
import { ReplaceSource } from './replace-source.tsx'

/** Deleting needs no confirmation, because the screen then offers to restore the file. */
export const FileActions = ({ file, rights }: { readonly file: MediaFile; readonly rights: FileRights }) => {
  const t = useTexts('file.actions')
  const queryClient = useQueryClient()
  const [isReplacing, replacing] = useDisclosure()
  const key = queryKeys.file(file.ProjectId, file.Id)
  const again = useMutation({
    mutationFn: () => zoetrope.files.retry(file.ProjectId, file.Id, { force: true }),
    onSuccess: (next) => queryClient.setQueryData(key, next),
  })
  const remove = useMutation({
    mutationFn: () => zoetrope.files.delete(file.ProjectId, file.Id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key, exact: true }),
  })
  if (!rights.mayEdit && !rights.mayDelete) return null
  return (
    <>
      <ProblemAlert error={again.error ?? remove.error} />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            loading={again.isPending || remove.isPending}
            rightSection={<IconChevronDown size={16} aria-hidden />}
          >
            {t('more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {rights.mayEdit && (
            <Menu.Item leftSection={<IconReplace size={16} aria-hidden />} onClick={replacing.open}>
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
              c="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => remove.mutate()}
            >
              {t('delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ReplaceSource file={file} isOpen={isReplacing} onClose={replacing.close} />
    </>
  )
}
