import { Group, NumberInput, Progress, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { FileLink } from '../ui/file-link.tsx'
import { formatNumber } from '../ui/format.ts'
import { StatusBadge } from '../ui/status-badge.tsx'
import { useToasts } from '../ui/toasts.tsx'

export type Encoding = Awaited<ReturnType<typeof zoetrope.usage.listEncodings>>['Encodings'][number]

interface CellProps {
  readonly encoding: Encoding
}

export const EncodingTitle = ({ encoding: { ProjectId, FileId, Title, ProjectName } }: CellProps) => (
  <div>
    <FileLink projectId={ProjectId} fileId={FileId} size="sm" display="block" truncate title={Title}>
      {Title}
    </FileLink>
    <Text size="xs" c="dimmed" truncate>
      {ProjectName}
    </Text>
  </div>
)

export const EncodingState = ({ encoding: { State, Step, Place, IsPlayable } }: CellProps) => {
  const t = useTexts('usage.queue')
  const state = State === 'waiting' ? 'waiting' : Step === 'encoding' ? 'encoding' : 'preparing'
  const details = [
    ...(Place === null ? [] : [Place === 1 ? t('next') : t('place', { place: formatNumber(Place) })]),
    ...(IsPlayable ? [t('playable')] : []),
  ]
  return (
    <div>
      <StatusBadge tone={State === 'running' ? 'busy' : 'neutral'}>{t(state)}</StatusBadge>
      {details.length > 0 && (
        <Text size="xs" c="dimmed">
          {details.join(' · ')}
        </Text>
      )}
    </div>
  )
}

export const EncodingProgress = ({ encoding: { Title, EncodingProgress: percent, State } }: CellProps) => {
  const t = useTexts('usage.queue')
  return (
    <Group gap="xs" wrap="nowrap" miw={120}>
      <Progress
        flex={1}
        size="sm"
        value={percent}
        animated={State === 'running'}
        aria-label={t('progressOf', { title: Title })}
      />
      <Text size="sm">{percent} %</Text>
    </Group>
  )
}

export const Priority = ({ encoding }: CellProps) => {
  const can = useCan(encoding.ProjectId)
  return can('files:write') ? <PriorityField encoding={encoding} /> : <>{encoding.EncodingPriority}</>
}

const pauseMs = 600

const PriorityField = ({ encoding }: CellProps) => {
  const t = useTexts('usage.queue')
  const toasts = useToasts()
  const client = useQueryClient()
  const { ProjectId, FileId, Title, EncodingPriority } = encoding
  const [typed, setTyped] = useState<number | string>(EncodingPriority)
  const change = useMutation({
    mutationFn: (priority: number) =>
      zoetrope.files.update(ProjectId, FileId, { EncodingPriority: priority }),
    onError: (error) => {
      setTyped(EncodingPriority)
      toasts.failed(error)
    },
    onSettled: () => client.invalidateQueries({ queryKey: [...queryKeys.events, 'queue'] }),
  })
  const send = useDebouncedCallback((priority: number) => change.mutate(priority), {
    delay: pauseMs,
    // Leaving the screen must not lose what was typed.
    flushOnUnmount: true,
  })
  return (
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
  )
}
