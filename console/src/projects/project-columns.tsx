import { ActionIcon, Anchor, Button, Group, Progress, Stack, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Project } from '@zoetrope/sdk'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { formatBytes, formatNumber } from '../ui/format.ts'
import type { TableColumn } from '../ui/lists/table-columns.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { StatusBadge } from '../ui/status-badge.tsx'

const Name = ({
  project: { Id, Name: name, Description, IsLive, IsEnabled },
}: {
  readonly project: Project
}) => {
  const t = useTexts('projects.list')
  return (
    <div>
      <Group gap="xs" wrap="nowrap">
        {IsEnabled ? (
          <Anchor
            size="sm"
            fw={550}
            c="var(--text)"
            truncate
            renderRoot={(props) => (
              <Link {...props} to="/projects/$projectId/files" params={{ projectId: Id }} />
            )}
          >
            {name}
          </Anchor>
        ) : (
          <Text size="sm" truncate>
            {name}
          </Text>
        )}
        {IsLive && <StatusBadge tone="live">{t('live')}</StatusBadge>}
        {!IsEnabled && <StatusBadge tone="neutral">{t('deleted')}</StatusBadge>}
      </Group>
      {Description !== '' && (
        <Text size="xs" c="dimmed" truncate title={Description}>
          {Description}
        </Text>
      )}
    </div>
  )
}

const Storage = ({
  project: { StorageBytes, StorageQuotaBytes, Name: name },
}: {
  readonly project: Project
}) => {
  const t = useTexts('projects.list')
  const used = formatBytes(StorageBytes)
  if (StorageQuotaBytes === null) return used
  const percent = StorageQuotaBytes === 0 ? 100 : (100 * StorageBytes) / StorageQuotaBytes
  return (
    <Stack gap={4}>
      {t('ofQuota', { used, quota: formatBytes(StorageQuotaBytes) })}
      <Progress
        size={4}
        value={Math.min(100, percent)}
        {...(percent > 90 && { color: 'red' })}
        aria-label={`${t('storage')}: ${name}`}
      />
    </Stack>
  )
}

const Actions = ({
  project: { Id, Name: name, IsEnabled },
  onRestore,
}: {
  readonly project: Project
  readonly onRestore: (projectId: number) => void
}) => {
  const t = useTexts('projects.list')
  const can = useCan(Id)
  if (!can('projects:write')) return null
  if (IsEnabled)
    return (
      <Tooltip label={t('settings', { name })}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('settings', { name })}
          renderRoot={(props) => (
            <Link {...props} to="/projects/$projectId/settings" params={{ projectId: Id }} />
          )}
        >
          <IconSettings size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Tooltip>
    )
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconArrowBackUp size={14} aria-hidden />}
      aria-label={t('restoreNamed', { name })}
      onClick={() => onRestore(Id)}
    >
      {t('restore')}
    </Button>
  )
}

export const useProjectColumns = (
  onRestore: (projectId: number) => void,
): readonly TableColumn<Project>[] => {
  const t = useTexts('projects.list')
  return [
    {
      ...{ key: 'name', header: t('name'), orderBy: 'name', firstSort: 'asc' },
      cell: (project) => <Name project={project} />,
    },
    {
      ...{ key: 'files', header: t('files'), width: 90, align: 'end', hideable: true, yields: true },
      cell: ({ FileCount }) => formatNumber(FileCount),
    },
    {
      ...{ key: 'storage', header: t('storage'), width: 180, hideable: true },
      cell: (project) => <Storage project={project} />,
    },
    {
      ...{
        key: 'created',
        header: t('created'),
        width: 132,
        orderBy: 'created',
        hideable: true,
        yields: true,
      },
      cell: ({ CreatedAt }) => <RelativeTime instant={CreatedAt} />,
    },
    {
      ...{ key: 'actions', header: t('actions'), isHeaderHidden: true, width: 140, align: 'end' },
      cell: (project) => <Actions project={project} onRestore={onRestore} />,
    },
  ]
}
