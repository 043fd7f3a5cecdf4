import { Modal, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '@zoetrope/vocabulary'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { fieldErrors } from '../../ui/field-errors.ts'
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

const InviteForm = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTexts('account.users')
  const client = useQueryClient()
  const [Email, setEmail] = useState('')
  const [Role, setRole] = useState<Role>('JuniorEditor')
  const [ProjectRoles, setProjectRoles] = useState<ProjectRole[]>([])
  const invite = useMutation({
    mutationFn: () => zoetrope.invitations.create({ Email, Role, ProjectRoles }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.invitations }),
  })
  const errors = fieldErrors(invite.error)
  if (invite.data !== undefined) return <LinkShown link={invite.data} onClose={onClose} />
  return (
    <DialogForm
      error={invite.error}
      isPending={invite.isPending}
      action={t('makeLink')}
      onSubmit={() => invite.mutate()}
      onCancel={onClose}
    >
      <Text>{t('inviteExplained')}</Text>
      <TextInput
        label={t('email')}
        type="email"
        required
        maxLength={254}
        data-autofocus
        value={Email}
        error={errors['Email']}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleSelect value={Role} onChange={setRole} error={errors['Role']} />
      <ProjectRolesField value={ProjectRoles} onChange={setProjectRoles} />
    </DialogForm>
  )
}
