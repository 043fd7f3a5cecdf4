import { Badge, Button, Group, Modal, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { formatTime } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { targetsQuery, type LiveStatus, type LiveTarget } from '../live-queries.ts'
import { TargetForm } from './target-form.tsx'

export const TargetsPart = ({
  status,
  mayWrite,
}: {
  readonly status: LiveStatus
  readonly mayWrite: boolean
}) => {
  const t = useTexts('live.targets')
  const { ProjectId } = status
  const { data: targets, error, refetch } = useQuery(targetsQuery(ProjectId))
  const [isNew, { open, close }] = useDisclosure()
  return (
    <Section
      title={t('title')}
      actions={
        mayWrite && (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={open}
          >
            {t('add')}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed">
        {t('explained')}
      </Text>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {targets?.length === 0 && <Text>{t('none')}</Text>}
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {targets?.map((target) => (
          <TargetCard
            key={target.Id}
            projectId={ProjectId}
            target={target}
            state={status.Targets.find(({ Id }) => Id === target.Id)}
            mayWrite={mayWrite}
          />
        ))}
      </Stack>
      <Modal opened={isNew} onClose={close} title={t('add')} closeOnClickOutside={false}>
        <TargetForm projectId={ProjectId} onClose={close} />
      </Modal>
    </Section>
  )
}

const colors = { idle: 'gray', connecting: 'yellow', online: 'green', waiting: 'red' } as const

const TargetCard = ({
  projectId,
  target,
  state,
  mayWrite,
}: {
  readonly projectId: number
  readonly target: LiveTarget
  readonly state: LiveStatus['Targets'][number] | undefined
  readonly mayWrite: boolean
}) => {
  const t = useTexts('live.targets')
  const client = useQueryClient()
  const [isEdited, editing] = useDisclosure()
  const [isDeleted, deleting] = useDisclosure()
  const { Id, Label, URI, IsEnabled } = target
  const name = Label || URI
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between">
        <Stack gap={2} miw={0}>
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <Badge variant="dot" color={IsEnabled ? colors[state?.State ?? 'idle'] : 'gray'}>
              {t(IsEnabled ? (state?.State ?? 'idle') : 'disabled')}
            </Badge>
          </Group>
          <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {URI}
          </Text>
          {state?.OnlineSince != null && (
            <Text size="xs">{t('since', { time: formatTime(state.OnlineSince) })}</Text>
          )}
          {state !== undefined && state.RestartCount > 0 && (
            <Text size="xs">{t('restarts', { count: state.RestartCount })}</Text>
          )}
          {state?.Message != null && (
            <Text size="xs" lang="en">
              {state.Message}
            </Text>
          )}
        </Stack>
        {mayWrite && (
          <Group gap="xs">
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPencil size={14} aria-hidden />}
              aria-label={t('editNamed', { name })}
              onClick={editing.open}
            >
              {t('edit')}
            </Button>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconTrash size={14} aria-hidden />}
              aria-label={t('deleteNamed', { name })}
              onClick={deleting.open}
            >
              {t('delete')}
            </Button>
          </Group>
        )}
      </Group>
      <Modal opened={isEdited} onClose={editing.close} title={t('edit')} closeOnClickOutside={false}>
        <TargetForm projectId={projectId} target={target} onClose={editing.close} />
      </Modal>
      <Confirm
        isOpen={isDeleted}
        onClose={deleting.close}
        title={t('deleteTitle', { name })}
        text={t('deleteText')}
        action={t('delete')}
        onConfirm={async () => {
          await zoetrope.live.deleteTarget(projectId, Id)
          await client.invalidateQueries({ queryKey: targetsQuery(projectId).queryKey })
        }}
      />
    </Paper>
  )
}
