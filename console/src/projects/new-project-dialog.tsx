import { Modal, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { DialogForm } from '../ui/forms/dialog-form.tsx'
import { ReleaseSelect, type ReleaseStatus } from '../ui/release-status.tsx'
import { useSaveForm } from '../ui/forms/use-save-form.ts'

const emptyProject: { Name: string; Description: string; DefaultReleaseStatus: ReleaseStatus } = {
  Name: '',
  Description: '',
  DefaultReleaseStatus: 'unpublished',
}

/** Asks for the most important settings; only the name is required. */
export const NewProjectDialog = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('projects.list')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useSaveForm({
    initialValues: emptyProject,
    save: (project) => zoetrope.projects.create(project),
    onSaved: async ({ Id }) => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects })
      onClose()
      await navigate({ to: '/projects/$projectId/files', params: { projectId: Id } })
    },
  })
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('create')}>
      <DialogForm form={form} action={t('createAct')} onCancel={onClose}>
        <TextInput
          label={t('name')}
          required
          maxLength={255}
          data-autofocus
          {...form.getInputProps('Name')}
        />
        <Textarea
          label={t('description')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          {...form.getInputProps('Description')}
        />
        <ReleaseSelect
          label={t('releaseOfNew')}
          {...form.getInputProps('DefaultReleaseStatus')}
          value={form.values.DefaultReleaseStatus}
        />
      </DialogForm>
    </Modal>
  )
}
