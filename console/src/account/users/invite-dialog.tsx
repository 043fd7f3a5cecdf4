import { Modal, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Role } from '@zoetrope/vocabulary'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { LinkShown } from './link-shown.tsx'
import { ProjectRolesField, RoleSelect, type ProjectRole } from './role-fields.tsx'

export const InviteDialog = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('account.users')
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('inviteTitle')} size="lg">
      <InviteForm onClose={onClose} />
    </Modal>
  )
}

const emptyInvitation: { Email: string; Role: Role; ProjectRoles: ProjectRole[] } = {
  Email: '',
  Role: 'JuniorEditor',
  ProjectRoles: [],
}

const InviteForm = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTexts('account.users')
  const client = useQueryClient()
  const form = useSaveForm({
    initialValues: emptyInvitation,
    save: (invitation) => zoetrope.invitations.create(invitation),
    onSaved: () => client.invalidateQueries({ queryKey: queryKeys.invitations }),
  })
  const { data: link } = form.saving
  if (link !== undefined) return <LinkShown link={link} onClose={onClose} />
  return (
    <DialogForm form={form} action={t('makeLink')} onCancel={onClose}>
      <Text>{t('inviteExplained')}</Text>
      <TextInput
        label={t('email')}
        type="email"
        required
        maxLength={254}
        data-autofocus
        {...form.getInputProps('Email')}
      />
      <RoleSelect {...form.getInputProps('Role')} value={form.values.Role} />
      <ProjectRolesField {...form.getInputProps('ProjectRoles')} value={form.values.ProjectRoles} />
    </DialogForm>
  )
}
