import { Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { nameOf, type User } from '../account-queries.ts'
import { LinkShown } from './link-shown.tsx'

/** Creates a link for a user without a password or with a forgotten one. */
export const PasswordLink = ({ user, onClose }: { readonly user: User; readonly onClose: () => void }) => {
  const t = useTexts('account.users')
  const client = useQueryClient()
  const make = useMutation({
    mutationFn: () => zoetrope.users.createPasswordLink(user.Id),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.invitations }),
  })
  if (make.data !== undefined) return <LinkShown link={make.data} onClose={onClose} />
  return (
    <DialogForm
      error={make.error}
      isPending={make.isPending}
      action={t('makeLink')}
      onSubmit={() => make.mutate()}
      onCancel={onClose}
    >
      <Text>{t('linkExplained', { name: nameOf(user) })}</Text>
    </DialogForm>
  )
}
