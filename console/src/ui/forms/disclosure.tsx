import { Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import '../styles/disclosure.css'

/** A part of a screen that few people need, closed until they open it. */
export const Disclosure = ({
  label,
  note,
  isOpen,
  onToggle,
  children,
}: {
  readonly label: string
  /** What is inside, such as the number of filled fields. */
  readonly note?: string | undefined
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}) => {
  const id = useId()
  return (
    <Stack gap={0}>
      <UnstyledButton className="disclosure" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
        <Group gap="xs" wrap="nowrap">
          <IconChevronRight size={16} aria-hidden className="disclosure-arrow" />
          <Text span size="sm" fw={600}>
            {label}
          </Text>
          {note !== undefined && (
            <Text span size="sm" c="dimmed">
              {note}
            </Text>
          )}
        </Group>
      </UnstyledButton>
      {isOpen && (
        <Stack id={id} pt="sm">
          {children}
        </Stack>
      )}
    </Stack>
  )
}
