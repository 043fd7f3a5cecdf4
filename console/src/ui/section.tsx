import { Group, Paper, Stack, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

export const Section = ({
  title,
  actions,
  children,
}: {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  const id = useId()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          <Group gap="xs">{actions}</Group>
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
