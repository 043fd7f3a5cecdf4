import { Button, Modal, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Project } from '@zoetrope/sdk'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { DialogForm } from '../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../ui/forms/use-save-form.ts'
import { formatNumber } from '../ui/format.ts'
import { useToasts } from '../ui/toasts.tsx'

export const DeleteProject = ({ project }: { readonly project: Project }) => {
  const t = useTexts('projects.deleteProject')
  const { Id, Name, FileCount } = project
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [isOpen, { open, close }] = useDisclosure()
  const hasFiles = FileCount > 0
  const form = useSaveForm({
    initialValues: { typed: '' },
    save: () => zoetrope.projects.delete(Id, hasFiles ? { cascade: true } : undefined),
    onSaved: async () => {
      toasts.undoable(t('done', { name: Name }), async () => {
        await zoetrope.projects.restore(Id)
        await queryClient.invalidateQueries({ queryKey: queryKeys.projects })
      })
      await navigate({ to: '/projects', ignoreBlocker: true })
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects })
    },
  })
  return (
    <>
      <Button color="red" variant="outline" style={{ alignSelf: 'flex-start' }} onClick={open}>
        {t('open')}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t('title', { name: Name })}>
        <DialogForm
          form={form}
          action={t('delete')}
          isDanger
          onCancel={close}
          isReady={!hasFiles || form.values.typed.trim() === Name.trim()}
        >
          <Text>
            {hasFiles ? t('text', { count: FileCount, shown: formatNumber(FileCount) }) : t('emptyText')}{' '}
            {t('explained')}
          </Text>
          {hasFiles && (
            <TextInput
              label={t('type')}
              description={t('typeHelp')}
              data-autofocus
              autoComplete="off"
              {...form.getInputProps('typed')}
            />
          )}
        </DialogForm>
      </Modal>
    </>
  )
}
