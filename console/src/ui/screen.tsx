import { Group, Stack, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'

export const Screen = ({
  title,
  actions,
  children,
}: {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  useEffect(() => {
    document.title = `${title} · Zoetrope`
  }, [title])
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Stack>
  )
}
