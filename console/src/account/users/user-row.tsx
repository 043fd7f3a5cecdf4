import { ActionIcon, Badge, Menu, Stack, Table, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useCan, useSession } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { formatAgo, formatNumber } from '../../ui/format.ts'
import { nameOf, type User } from '../account-queries.ts'
import type { UserAct } from './user-dialogs.tsx'

export const UserRow = ({ user, onAct }: { readonly user: User; readonly onAct: (act: UserAct) => void }) => {
  const t = useTexts('account.users')
  const roleWords = useTexts('account.roles')
  const can = useCan()
  const isSelf = useSession().User.Id === user.Id
  const { ProjectRoles, IsEnabled, HasSecondFactor, LastSignInAt } = user
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {nameOf(user)} {isSelf && <Badge variant="outline">{t('you')}</Badge>}
        </Text>
        {user.Name !== '' && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {user.Email}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Stack gap={0}>
          <Text size="sm">{roleWords(user.Role)}</Text>
          {ProjectRoles.length > 0 && (
            <Text size="sm" c="dimmed">
              {t('projects', { count: ProjectRoles.length })}
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td>
        <Stack gap={2} align="start">
          <Badge variant="dot" color={IsEnabled ? 'green' : 'gray'} tt="none">
            {t(IsEnabled ? 'true' : 'false')}
          </Badge>
          {HasSecondFactor && (
            <Text size="sm" c="dimmed">
              {t('secondFactor')}
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td>
        {LastSignInAt === null ? (user.HasPassword ? t('never') : t('noPassword')) : formatAgo(LastSignInAt)}
      </Table.Td>
      <Table.Td>{formatNumber(user.ApiKeyCount)}</Table.Td>
      <Table.Td>
        {can('users:write') && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" aria-label={t('actsOf', { name: nameOf(user) })}>
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
                  <Menu.Item onClick={() => onAct({ kind: IsEnabled ? 'disable' : 'enable', user })}>
                    {t(IsEnabled ? 'disable' : 'enable')}
                  </Menu.Item>
                  <Menu.Item onClick={() => onAct({ kind: 'delete', user })}>{t('delete')}</Menu.Item>
                </>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
