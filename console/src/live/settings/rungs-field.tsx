import { ActionIcon, Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../shell/texts.ts'
import type { LiveIngest } from '../live-queries.ts'

type Rung = LiveIngest['Renditions'][number]

const maxRungs = 6
const firstHeights = [720, 480, 360, 240, 1_080, 144] as const

export const RungsField = ({
  rungs,
  errors,
  mayWrite,
  onChange,
}: {
  readonly rungs: readonly Rung[]
  readonly errors: Readonly<Record<string, ReactNode>>
  readonly mayWrite: boolean
  readonly onChange: (rungs: readonly Rung[]) => void
}) => {
  const t = useTexts('live.settings')
  const add = (): void => {
    const Height = firstHeights.find((height) => rungs.every((rung) => rung.Height !== height)) ?? 360
    onChange([...rungs, { Height }])
  }
  return (
    <Stack gap="xs" role="group" aria-label={t('ladder')}>
      <Text size="sm">{t('ladderExplained')}</Text>
      {rungs.map(({ Height, VideoBitRate }, index) => (
        // Rungs have no ids, and each field depends only on its value.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={index} align="end" gap="xs" role="group" aria-label={t('rung', { number: index + 1 })}>
          <NumberInput
            label={t('Height')}
            flex={1}
            miw={110}
            min={1}
            max={4_320}
            allowDecimal={false}
            value={Height}
            error={errors[`Renditions[${index}].Height`]}
            onChange={(value) =>
              typeof value === 'number' &&
              onChange(
                rungs.with(index, { ...(VideoBitRate !== undefined && { VideoBitRate }), Height: value }),
              )
            }
          />
          <NumberInput
            label={t('VideoBitRate')}
            flex={1}
            miw={110}
            min={1}
            allowDecimal={false}
            value={VideoBitRate === undefined ? '' : VideoBitRate / 1_000}
            error={errors[`Renditions[${index}].VideoBitRate`]}
            onChange={(value) =>
              onChange(
                rungs.with(index, {
                  Height,
                  ...(typeof value === 'number' && { VideoBitRate: Math.round(value * 1_000) }),
                }),
              )
            }
          />
          {mayWrite && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="input-sm"
              aria-label={t('removeRung', { number: index + 1 })}
              onClick={() => onChange(rungs.toSpliced(index, 1))}
            >
              <IconX size={18} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {mayWrite && rungs.length < maxRungs && (
        <Group>
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={add}
          >
            {t('addRung')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
