import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { RelativeTime, useAgo } from '../../ui/relative-time.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { ApiKey } from '../account-queries.ts'
import type { KeyAct } from './key-dialogs.tsx'

const shownScopes = 2
/** Enough time to rotate a key. */
const soonMs = 14 * 86_400_000

interface CellProps {
  readonly apiKey: ApiKey
}

export const KeyName = ({ apiKey: { Label, LastFour, IsEnabled, RevokedAt } }: CellProps) => {
  const t = useTexts('account.apiKeys')
  const ago = useAgo()
  const end = RevokedAt === null ? t('expired') : t('revokedAt', { when: ago(RevokedAt) })
  return (
    <div>
      <Text fw={550} size="sm" truncate title={Label}>
        {Label}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {t('endsWith', { end: LastFour })}
        {!IsEnabled && `, ${end}`}
      </Text>
    </div>
  )
}

export const KeyScopes = ({ apiKey: { Scopes } }: CellProps) => {
  const t = useTexts('account.apiKeys')
  if (Scopes.includes('*')) return <>{t('everything')}</>
  return (
    <Group gap={4} wrap="nowrap" title={Scopes.join(', ')}>
      {Scopes.slice(0, shownScopes).map((scope) => (
        <Badge key={scope} variant="default">
          {scope}
        </Badge>
      ))}
      {Scopes.length > shownScopes && <Text size="sm">+{Scopes.length - shownScopes}</Text>}
    </Group>
  )
}

export const KeyProjects = ({
  apiKey: { ProjectIds, AllowedNetworks },
  projectNameOf,
}: CellProps & { readonly projectNameOf: (id: number) => string }) => {
  const t = useTexts('account.apiKeys')
  const names = ProjectIds === null ? t('allProjects') : ProjectIds.map(projectNameOf).join(', ')
  return (
    <div>
      <Text size="sm" truncate title={names}>
        {names}
      </Text>
      {AllowedNetworks !== null && (
        <Text size="xs" c="dimmed" truncate title={AllowedNetworks.join(', ')}>
          {t('onlyFrom', { networks: AllowedNetworks.join(', ') })}
        </Text>
      )}
    </div>
  )
}

export const KeyUse = ({ apiKey: { LastUsedAt, LastUsedAddress } }: CellProps) => {
  const t = useTexts('account.apiKeys')
  return (
    <div>
      {LastUsedAt === null ? t('never') : <RelativeTime instant={LastUsedAt} />}
      {LastUsedAddress !== null && (
        <Text size="xs" c="dimmed">
          {LastUsedAddress}
        </Text>
      )}
    </div>
  )
}

const endsSoon = ({ ExpiresAt, IsEnabled }: ApiKey): boolean =>
  IsEnabled && ExpiresAt !== null && Date.parse(ExpiresAt) - Date.now() < soonMs

export const KeyExpiry = ({ apiKey }: CellProps) => {
  const time = <RelativeTime instant={apiKey.ExpiresAt} />
  return endsSoon(apiKey) ? <StatusBadge tone="warning">{time}</StatusBadge> : time
}

export const KeyActs = ({ apiKey, onAct }: CellProps & { readonly onAct: (act: KeyAct) => void }) => {
  const t = useTexts('account.apiKeys')
  const can = useCan()
  if (!apiKey.IsEnabled || !can('keys:write')) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" variant="subtle" color="gray" aria-label={t('actsOf', { name: apiKey.Label })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(['change', 'rotate'] as const).map((kind) => (
          <Menu.Item key={kind} onClick={() => onAct({ kind, apiKey })}>
            {t(kind)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => onAct({ kind: 'revoke', apiKey })}>
          {t('revoke')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
