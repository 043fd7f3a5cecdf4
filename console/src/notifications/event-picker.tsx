import { Accordion, Checkbox, Group, Input, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isOptInEvent } from '@zoetrope/vocabulary'
import { useTexts } from '../shell/texts.ts'
import { eventFamilies } from './event-names.ts'

interface PickerProps {
  readonly value: readonly string[]
  readonly onChange: (eventTypes: string[]) => void
}

const Family = ({
  of: { family, names, isOptIn },
  value,
  onChange,
}: PickerProps & { readonly of: (typeof eventFamilies)[number] }) => {
  const t = useTexts('notifications.eventPicker')
  const tType = useTexts('notifications.eventTypes')
  const whole = `${family}.*`
  const others = value.filter((one) => !one.startsWith(`${family}.`))
  const isWhole = value.includes(whole)
  const toggle = (name: string, isOn: boolean): void =>
    onChange(isOn ? [...value, name] : value.filter((one) => one !== name))
  const chosen = names.filter((name) => value.includes(name)).length
  return (
    <Accordion.Item value={family}>
      <Accordion.Control>
        <Group justify="space-between" wrap="nowrap" pe="xs">
          {tType(family)}
          <Text size="sm" c="dimmed">
            {isWhole ? t('all') : t('count', { chosen, all: names.length })}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="xs">
          {!isOptIn && (
            <Checkbox
              label={t('whole', { family: tType(family) })}
              checked={isWhole}
              onChange={({ currentTarget }) => onChange(currentTarget.checked ? [...others, whole] : others)}
            />
          )}
          {names.map((name) => (
            <Checkbox
              key={name}
              label={name}
              description={tType(name)}
              disabled={isWhole}
              checked={isWhole || value.includes(name)}
              onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
            />
          ))}
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  )
}

/** Selects event names, families or all events, in the format of the API. */
export const EventPicker = ({
  error,
  order,
  hasLabel = true,
  ...picker
}: PickerProps & {
  readonly error?: ReactNode
  /** Heading level, below that of the parent. */
  readonly order: 2 | 3
  /** False below a heading with the same text. */
  readonly hasLabel?: boolean
}) => {
  const t = useTexts('notifications.eventPicker')
  const { value, onChange } = picker
  const isEverything = value.includes('*')
  const optIn = value.filter(isOptInEvent)
  const families = eventFamilies.filter(({ isOptIn }) => isOptIn || !isEverything)
  return (
    <Stack gap="xs" role="group" aria-label={t('label')}>
      {hasLabel && (
        <Text size="sm" fw={500}>
          {t('label')}
        </Text>
      )}
      <Checkbox
        label={t('everything')}
        checked={isEverything}
        onChange={({ currentTarget }) => onChange([...(currentTarget.checked ? ['*'] : []), ...optIn])}
      />
      <Accordion variant="contained" multiple order={order}>
        {families.map((one) => (
          <Family key={one.family} of={one} {...picker} />
        ))}
      </Accordion>
      {error != null && <Input.Error>{error}</Input.Error>}
    </Stack>
  )
}
