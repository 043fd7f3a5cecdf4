import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Group,
  Progress,
  Stack,
  Table,
  Text,
  Tooltip,
} from '@mantine/core'
import { IconArrowBackUp, IconBroadcast, IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Project } from '@zoetrope/sdk'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { formatBytes, formatNumber, formatTime } from '../ui/format.ts'

const Storage = ({ project: { StorageBytes, StorageQuotaBytes, Name } }: { readonly project: Project }) => {
  const t = useTexts('projects.list')
  const used = formatBytes(StorageBytes)
  if (StorageQuotaBytes === null) return used
  const percent = StorageQuotaBytes === 0 ? 100 : (100 * StorageBytes) / StorageQuotaBytes
  return (
    <Stack gap={4}>
      <Text size="sm">{t('ofQuota', { used, quota: formatBytes(StorageQuotaBytes) })}</Text>
      <Progress
        size="sm"
        value={Math.min(100, percent)}
        color={percent > 90 ? 'red' : 'blue'}
        aria-label={`${t('storage')}: ${Name}`}
      />
    </Stack>
  )
}

export const ProjectRow = ({
  project,
  onRestore,
}: {
  readonly project: Project
  readonly onRestore: () => void
}) => {
  const t = useTexts('projects.list')
  const { Id, Name, Description, FileCount, IsLive, IsEnabled, CreatedAt } = project
  const can = useCan(Id)
  return (
    <Table.Tr>
      <Table.Td style={{ minWidth: 180 }}>
        <Group gap="xs">
          {IsEnabled ? (
            <Anchor
              fw={600}
              style={{ overflowWrap: 'anywhere' }}
              renderRoot={(props) => (
                <Link {...props} to="/projects/$projectId/files" params={{ projectId: Id }} />
              )}
            >
              {Name}
            </Anchor>
          ) : (
            <Text>{Name}</Text>
          )}
          {IsLive && (
            <Badge color="red" leftSection={<IconBroadcast size={12} aria-hidden />}>
              {t('live')}
            </Badge>
          )}
          {!IsEnabled && (
            <Badge variant="dot" color="gray" tt="none">
              {t('deleted')}
            </Badge>
          )}
        </Group>
        {Description !== '' && (
          <Text size="sm" c="dimmed" lineClamp={1} maw={480}>
            {Description}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="end">{formatNumber(FileCount)}</Table.Td>
      <Table.Td>
        <Storage project={project} />
      </Table.Td>
      <Table.Td>{formatTime(CreatedAt)}</Table.Td>
      <Table.Td ta="end">
        {can('projects:write') && IsEnabled && (
          <Tooltip label={t('settings', { name: Name })}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('settings', { name: Name })}
              renderRoot={(props) => (
                <Link {...props} to="/projects/$projectId/settings" params={{ projectId: Id }} />
              )}
            >
              <IconSettings size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        {can('projects:write') && !IsEnabled && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowBackUp size={14} aria-hidden />}
            aria-label={t('restoreNamed', { name: Name })}
            onClick={onRestore}
          >
            {t('restore')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
