import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

export const Section = ({
  title,
  description,
  actions,
  children,
}: {
  readonly title: string
  /** One sentence below the title. */
  readonly description?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  const id = useId()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" mih={28}>
          <div>
            <Title order={2} size="h4" id={id}>
              {title}
            </Title>
            {description != null && (
              <Text size="sm" c="dimmed">
                {description}
              </Text>
            )}
          </div>
          <Group gap="xs">{actions}</Group>
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
