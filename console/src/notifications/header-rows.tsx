import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../shell/texts.ts'

export type HeaderRow = readonly [name: string, value: string]

export const HeaderRows = ({
  rows,
  onChange,
  errors,
  hasLabel = true,
}: {
  readonly rows: readonly HeaderRow[]
  readonly onChange: (rows: HeaderRow[]) => void
  readonly errors: Readonly<Record<string, ReactNode>>
  /** False below a heading with the same text. */
  readonly hasLabel?: boolean
}) => {
  const t = useTexts('notifications.headerRows')
  return (
    <Stack gap="xs" role="group" aria-label={t('label')}>
      {hasLabel && (
        <Text size="sm" fw={500}>
          {t('label')}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t('advice')}
      </Text>
      {rows.map(([name, value], index) => (
        <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            flex={1}
            aria-label={t('name', { number: index + 1 })}
            placeholder="X-Token"
            value={name}
            error={errors[`CustomHeaders.${name}`]}
            onChange={({ currentTarget }) => onChange(rows.with(index, [currentTarget.value, value]))}
          />
          <TextInput
            flex={1}
            aria-label={t('value', { number: index + 1 })}
            value={value}
            onChange={({ currentTarget }) => onChange(rows.with(index, [name, currentTarget.value]))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('remove', { number: index + 1 })}
            onClick={() => onChange(rows.toSpliced(index, 1))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...rows, ['', '']])}
        >
          {t('add')}
        </Button>
      </Group>
    </Stack>
  )
}
