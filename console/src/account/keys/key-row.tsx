import { ActionIcon, Badge, Group, Menu, Table, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { formatAgo, formatTime } from '../../ui/format.ts'
import type { ApiKey } from '../account-queries.ts'
import type { KeyAct } from './key-dialogs.tsx'

const shownScopes = 4

export const KeyRow = ({
  apiKey,
  owner,
  projectNameOf,
  onAct,
}: {
  readonly apiKey: ApiKey
  readonly owner: string
  readonly projectNameOf: (id: number) => string
  readonly onAct: (act: KeyAct) => void
}) => {
  const t = useTexts('account.apiKeys')
  const can = useCan()
  const {
    Label,
    LastFour,
    Scopes,
    ProjectIds,
    IsEnabled,
    RevokedAt,
    ExpiresAt,
    LastUsedAt,
    LastUsedAddress,
    AllowedNetworks,
  } = apiKey
  const end = RevokedAt === null ? t('expired') : t('revokedAt', { when: formatAgo(RevokedAt) })
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {Label}
        </Text>
        <Text size="sm" c="dimmed">
          {t('endsWith', { end: LastFour })}
          {!IsEnabled && `, ${end}`}
        </Text>
      </Table.Td>
      <Table.Td>{owner}</Table.Td>
      <Table.Td>
        {Scopes.includes('*') ? (
          t('everything')
        ) : (
          <Group gap={4}>
            {Scopes.slice(0, shownScopes).map((scope) => (
              <Badge key={scope} variant="outline" color="gray" tt="none">
                {scope}
              </Badge>
            ))}
            {Scopes.length > shownScopes && <Text size="sm">+{Scopes.length - shownScopes}</Text>}
          </Group>
        )}
      </Table.Td>
      <Table.Td>
        {ProjectIds === null ? t('allProjects') : ProjectIds.map(projectNameOf).join(', ')}
        {AllowedNetworks !== null && (
          <Text size="sm" c="dimmed">
            {t('onlyFrom', { networks: AllowedNetworks.join(', ') })}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {LastUsedAt === null ? t('never') : formatAgo(LastUsedAt)}
        {LastUsedAddress !== null && (
          <Text size="sm" c="dimmed">
            {LastUsedAddress}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{formatTime(ExpiresAt)}</Table.Td>
      <Table.Td>
        {IsEnabled && can('keys:write') && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" aria-label={t('actsOf', { name: Label })}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {(['change', 'rotate', 'revoke'] as const).map((kind) => (
                <Menu.Item key={kind} onClick={() => onAct({ kind, apiKey })}>
                  {t(kind)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
