import '../account.css'
import { ActionIcon, Badge, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useCan, useSession } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { nameOf, type User } from '../account-queries.ts'
import type { UserAct } from './user-dialogs.tsx'

interface CellProps {
  readonly user: User
}

export const UserName = ({ user }: CellProps) => {
  const t = useTexts('account.users')
  const isSelf = useSession().User.Id === user.Id
  return (
    <div>
      <Text fw={550} size="sm" truncate>
        {nameOf(user)} {isSelf && <Badge variant="light">{t('you')}</Badge>}
      </Text>
      {user.Name !== '' && (
        <Text size="xs" c="dimmed" className="user-email" title={user.Email}>
          {user.Email}
        </Text>
      )}
    </div>
  )
}

export const UserRole = ({ user: { Role, ProjectRoles } }: CellProps) => {
  const t = useTexts('account.users')
  const roleWords = useTexts('account.roles')
  return (
    <div>
      {roleWords(Role)}
      {ProjectRoles.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('projects', { count: ProjectRoles.length })}
        </Text>
      )}
    </div>
  )
}

export const UserState = ({ user: { IsEnabled, HasSecondFactor } }: CellProps) => {
  const t = useTexts('account.users')
  return (
    <div>
      <StatusBadge tone={IsEnabled ? 'ok' : 'neutral'}>{t(IsEnabled ? 'true' : 'false')}</StatusBadge>
      {HasSecondFactor && (
        <Text size="xs" c="dimmed">
          {t('secondFactor')}
        </Text>
      )}
    </div>
  )
}

export const LastSignIn = ({ user: { LastSignInAt, HasPassword } }: CellProps) => {
  const t = useTexts('account.users')
  if (LastSignInAt !== null) return <RelativeTime instant={LastSignInAt} />
  return (
    <Text size="sm" c="dimmed" component="span">
      {HasPassword ? t('never') : t('noPassword')}
    </Text>
  )
}

export const UserActs = ({ user, onAct }: CellProps & { readonly onAct: (act: UserAct) => void }) => {
  const t = useTexts('account.users')
  const can = useCan()
  const isSelf = useSession().User.Id === user.Id
  const { IsEnabled, HasSecondFactor } = user
  if (!can('users:write')) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" variant="subtle" color="gray" aria-label={t('actsOf', { name: nameOf(user) })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAct({ kind: 'edit', user })}>{t('edit')}</Menu.Item>
        <Menu.Item onClick={() => onAct({ kind: 'access', user })}>{t('access')}</Menu.Item>
        {IsEnabled && <Menu.Item onClick={() => onAct({ kind: 'link', user })}>{t('link')}</Menu.Item>}
        {!isSelf && HasSecondFactor && (
          <Menu.Item onClick={() => onAct({ kind: 'reset', user })}>{t('reset')}</Menu.Item>
        )}
        {!isSelf && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => onAct({ kind: IsEnabled ? 'disable' : 'enable', user })}>
              {t(IsEnabled ? 'disable' : 'enable')}
            </Menu.Item>
            <Menu.Item color="red" onClick={() => onAct({ kind: 'delete', user })}>
              {t('delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
