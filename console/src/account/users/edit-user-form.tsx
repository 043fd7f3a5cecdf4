import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { changedFields } from '../../ui/forms/changed-fields.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import type { User } from '../account-queries.ts'
import { ProjectRolesField, RoleSelect } from './role-fields.tsx'

export const EditUserForm = ({ user, onClose }: { readonly user: User; readonly onClose: () => void }) => {
  const t = useTexts('account.users')
  const client = useQueryClient()
  const { Name, Email, Role, ProjectRoles } = user
  const form = useSaveForm({
    initialValues: { Name, Email, Role, ProjectRoles },
    // Sends only changed fields, so that concurrent changes to others are kept.
    save: (values) => zoetrope.users.update(user.Id, changedFields(user, values)),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.users })
      onClose()
    },
  })
  return (
    <DialogForm form={form} action={t('save')} onCancel={onClose}>
      <TextInput label={t('name')} maxLength={200} data-autofocus {...form.getInputProps('Name')} />
      <TextInput label={t('email')} type="email" required maxLength={254} {...form.getInputProps('Email')} />
      <RoleSelect {...form.getInputProps('Role')} value={form.values.Role} />
      <ProjectRolesField {...form.getInputProps('ProjectRoles')} value={form.values.ProjectRoles} />
    </DialogForm>
  )
}
