import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { nameOf, type User } from '../account-queries.ts'
import { EditUserForm } from './edit-user-form.tsx'
import { PasswordLink } from './password-link.tsx'
import { UserAccess } from './user-access.tsx'

export interface UserAct {
  readonly kind: 'edit' | 'access' | 'link' | 'enable' | 'disable' | 'delete' | 'reset'
  readonly user: User
}

const titles = { edit: 'editTitle', access: 'accessTitle', link: 'linkTitle' } as const
const isShown = (kind: UserAct['kind']): kind is keyof typeof titles => kind in titles

export const UserDialogs = ({
  act,
  onClose,
}: {
  readonly act: UserAct | null
  readonly onClose: () => void
}) => {
  const t = useTexts('account.users')
  const client = useQueryClient()
  // Keeps the user while the closing animation runs.
  const [last, setLast] = useState(act)
  if (act !== null && act !== last) setLast(act)
  if (last === null) return null
  const { kind, user } = last
  const isOpen = act !== null
  const name = nameOf(user)
  const reload = () => client.invalidateQueries({ queryKey: queryKeys.users })
  if (isShown(kind))
    return (
      <Modal opened={isOpen} onClose={onClose} title={t(titles[kind], { name })} size="lg">
        {kind === 'edit' && <EditUserForm user={user} onClose={onClose} />}
        {kind === 'access' && <UserAccess user={user} />}
        {kind === 'link' && <PasswordLink user={user} onClose={onClose} />}
      </Modal>
    )
  if (kind === 'reset')
    return (
      <Confirm
        isOpen={isOpen}
        onClose={onClose}
        title={t('resetTitle', { name })}
        text={t('resetText')}
        action={t('reset')}
        onConfirm={async () => {
          await zoetrope.users.resetFactors(user.Id)
          await reload()
        }}
      />
    )
  if (kind === 'delete')
    return (
      <Confirm
        isOpen={isOpen}
        onClose={onClose}
        title={t('deleteTitle', { name })}
        text={t('deleteText')}
        action={t('delete')}
        onConfirm={async () => {
          await zoetrope.users.delete(user.Id)
          await reload()
        }}
      />
    )
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={t(kind === 'enable' ? 'enableTitle' : 'disableTitle', { name })}
      text={t(kind === 'enable' ? 'enableText' : 'disableText')}
      action={t(kind)}
      onConfirm={async () => {
        await zoetrope.users.update(user.Id, { IsEnabled: kind === 'enable' })
        await reload()
      }}
    />
  )
}
