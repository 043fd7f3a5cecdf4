import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { fieldErrors } from '../../ui/field-errors.ts'
import type { User } from '../account-queries.ts'
import { ProjectRolesField, RoleSelect } from './role-fields.tsx'

export const EditUserForm = ({ user, onClose }: { readonly user: User; readonly onClose: () => void }) => {
  const t = useTexts('account.users')
  const client = useQueryClient()
  const [Name, setName] = useState(user.Name)
  const [Email, setEmail] = useState(user.Email)
  const [Role, setRole] = useState(user.Role)
  const [ProjectRoles, setProjectRoles] = useState(user.ProjectRoles)
  const save = useMutation({
    // Sends only changed fields, so that concurrent changes to others are kept.
    mutationFn: () =>
      zoetrope.users.update(user.Id, {
        ...(Name !== user.Name && { Name }),
        ...(Email !== user.Email && { Email }),
        ...(Role !== user.Role && { Role }),
        ...(ProjectRoles !== user.ProjectRoles && { ProjectRoles }),
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.users })
      onClose()
    },
  })
  const errors = fieldErrors(save.error)
  return (
    <DialogForm
      error={save.error}
      isPending={save.isPending}
      action={t('save')}
      onSubmit={() => save.mutate()}
      onCancel={onClose}
    >
      <TextInput
        label={t('name')}
        maxLength={200}
        data-autofocus
        value={Name}
        error={errors['Name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t('email')}
        type="email"
        required
        maxLength={254}
        value={Email}
        error={errors['Email']}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleSelect value={Role} onChange={setRole} error={errors['Role']} />
      <ProjectRolesField value={ProjectRoles} onChange={setProjectRoles} />
    </DialogForm>
  )
}
