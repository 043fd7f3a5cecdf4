import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { nameOf, type User } from '../account-queries.ts'
import { LinkShown } from './link-shown.tsx'

export const PasswordLink = ({ user, onClose }: { readonly user: User; readonly onClose: () => void }) => {
  const t = useTexts('account.users')
  const client = useQueryClient()
  const form = useSaveForm({
    initialValues: {},
    save: () => zoetrope.users.createPasswordLink(user.Id),
    onSaved: () => client.invalidateQueries({ queryKey: queryKeys.invitations }),
  })
  const { data: link } = form.saving
  if (link !== undefined) return <LinkShown link={link} onClose={onClose} />
  return (
    <DialogForm form={form} action={t('makeLink')} onCancel={onClose}>
      <Text>{t('linkExplained', { name: nameOf(user) })}</Text>
    </DialogForm>
  )
}
