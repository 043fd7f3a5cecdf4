import { Badge, Group, NumberInput, Progress, Table, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { FileLink } from '../ui/file-link.tsx'
import { formatAgo, formatNumber } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'

type Encoding = Awaited<ReturnType<typeof zoetrope.usage.listEncodings>>['Encodings'][number]

export const QueueRow = ({ encoding }: { readonly encoding: Encoding }) => {
  const t = useTexts('usage.queue')
  const can = useCan(encoding.ProjectId)
  const { ProjectId, FileId, Title, State, Place, EncodingProgress, EstimatedReadyAt } = encoding
  const state = State === 'waiting' ? 'waiting' : encoding.Step === 'encoding' ? 'encoding' : 'preparing'
  return (
    <Table.Tr>
      <Table.Td>
        <FileLink projectId={ProjectId} fileId={FileId} style={{ overflowWrap: 'anywhere' }}>
          {Title}
        </FileLink>
        <Text size="sm" c="dimmed">
          {encoding.ProjectName}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge variant="dot" color={State === 'running' ? 'blue' : 'gray'} tt="none">
          {t(state)}
        </Badge>
        {Place !== null && (
          <Text size="sm" c="dimmed">
            {Place === 1 ? t('next') : t('place', { place: formatNumber(Place) })}
          </Text>
        )}
        {encoding.IsPlayable && (
          <Text size="sm" c="dimmed">
            {t('playable')}
          </Text>
        )}
      </Table.Td>
      <Table.Td miw={140}>
        <Group gap="xs" wrap="nowrap">
          <Progress
            flex={1}
            value={EncodingProgress}
            animated={State === 'running'}
            aria-label={t('progressOf', { title: Title })}
          />
          <Text size="sm">{EncodingProgress} %</Text>
        </Group>
      </Table.Td>
      <Table.Td>
        {can('files:write') ? <PriorityField encoding={encoding} /> : encoding.EncodingPriority}
      </Table.Td>
      <Table.Td>{formatAgo(encoding.WaitingSince)}</Table.Td>
      <Table.Td>{EstimatedReadyAt === null ? t('unknown') : formatAgo(EstimatedReadyAt)}</Table.Td>
    </Table.Tr>
  )
}

const pauseMs = 600

const PriorityField = ({ encoding }: { readonly encoding: Encoding }) => {
  const t = useTexts('usage.queue')
  const client = useQueryClient()
  const { ProjectId, FileId, Title, EncodingPriority } = encoding
  const [typed, setTyped] = useState<number | string>(EncodingPriority)
  const change = useMutation({
    mutationFn: (priority: number) =>
      zoetrope.files.update(ProjectId, FileId, { EncodingPriority: priority }),
    onSettled: () => client.invalidateQueries({ queryKey: [...queryKeys.events, 'queue'] }),
  })
  const send = useDebouncedCallback((priority: number) => change.mutate(priority), pauseMs)
  return (
    <>
      <NumberInput
        aria-label={t('priorityOf', { title: Title })}
        size="xs"
        w={80}
        min={0}
        max={100}
        allowDecimal={false}
        value={typed}
        onChange={(value) => {
          setTyped(value)
          if (typeof value === 'number') send(value)
        }}
      />
      <ProblemAlert error={change.error} />
    </>
  )
}
