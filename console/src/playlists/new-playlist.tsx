import { Modal, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useProjectChoices } from '../projects/all-projects.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { DialogForm } from '../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../ui/forms/use-save-form.ts'

const emptyPlaylist: { Name: string; Type: 'manual' | 'automatic'; ProjectId: string | null } = {
  Name: '',
  Type: 'manual',
  ProjectId: null,
}

/** Asks for the settings that cannot change later, then opens the new playlist. */
export const NewPlaylist = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('playlists.list')
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('create')}>
      <NewPlaylistForm onClose={onClose} />
    </Modal>
  )
}

const NewPlaylistForm = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTexts('playlists.list')
  const navigate = useNavigate()
  const client = useQueryClient()
  const projects = useProjectChoices()
  const form = useSaveForm({
    initialValues: emptyPlaylist,
    save: ({ Name, Type, ProjectId }) =>
      zoetrope.playlists.create({
        Name,
        Type,
        ProjectId: ProjectId === null ? null : Number(ProjectId),
        ...(Type === 'automatic' && { Rules: { Limit: 10 } }),
      }),
    onSaved: async ({ Id }) => {
      await client.invalidateQueries({ queryKey: queryKeys.playlists })
      await navigate({ to: '/playlists/$playlistId', params: { playlistId: Id } })
    },
  })
  return (
    <DialogForm form={form} action={t('create')} onCancel={onClose}>
      <TextInput label={t('name')} required maxLength={255} data-autofocus {...form.getInputProps('Name')} />
      <Radio.Group label={t('type')} {...form.getInputProps('Type')}>
        <Stack gap="xs" mt="xs">
          <Radio value="manual" label={t('manual')} description={t('manualExplained')} />
          <Radio value="automatic" label={t('automatic')} description={t('automaticExplained')} />
        </Stack>
      </Radio.Group>
      <Select
        label={t('project')}
        clearable
        searchable
        placeholder={t('anyProject')}
        data={projects}
        {...form.getInputProps('ProjectId')}
      />
    </DialogForm>
  )
}
