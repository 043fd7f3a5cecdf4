import { ActionIcon, Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../shell/texts.ts'
import type { RungForm } from './settings-form.ts'

const maxRungs = 12

export const LadderEditor = ({
  rungs,
  onChange,
  error,
}: {
  readonly rungs: readonly RungForm[]
  readonly onChange: (rungs: RungForm[]) => void
  readonly error: ReactNode
}) => {
  const t = useTexts('projects.settings')
  const set = (at: number, changes: Partial<RungForm>): void =>
    onChange(rungs.map((rung, index) => (index === at ? { ...rung, ...changes } : rung)))
  return (
    <Stack gap="xs">
      <Text fw={700} size="sm">
        {t('ladder')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('ladderHelp')}
      </Text>
      {rungs.map((rung, index) => (
        // Rungs have no ids, so the index is the key.
        <Group key={index} align="flex-end" gap="xs">
          <NumberInput
            label={t('height')}
            w={140}
            required
            min={64}
            max={4320}
            allowDecimal={false}
            value={rung.height}
            onChange={(height) => set(index, { height })}
          />
          <NumberInput
            label={t('bitRate')}
            w={180}
            min={50}
            max={100_000}
            placeholder={t('bitRateAuto')}
            value={rung.kilobitsPerSecond}
            onChange={(kilobitsPerSecond) => set(index, { kilobitsPerSecond })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="input-sm"
            aria-label={t('removeRung', { number: index + 1 })}
            onClick={() => onChange(rungs.filter((_rung, at) => at !== index))}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {error != null && (
        <Text size="sm" role="alert" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      <Button
        variant="default"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={rungs.length >= maxRungs}
        onClick={() => onChange([...rungs, { height: 720, kilobitsPerSecond: '' }])}
      >
        {t('addRung')}
      </Button>
    </Stack>
  )
}
