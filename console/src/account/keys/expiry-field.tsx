import { Group, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../shell/texts.ts'

const choices = ['30', '90', '365', 'never', 'other'] as const
type Choice = (typeof choices)[number]

export interface Expiry {
  readonly choice: Choice
  /** For `other`: the last valid day. */
  readonly day: string
}

export const expiryOf = (expiresAt: string | null): Expiry =>
  expiresAt === null
    ? { choice: 'never', day: '' }
    : { choice: 'other', day: new Date(expiresAt).toLocaleDateString('sv-SE') }

/** Returns the instant for the API. Null = never. */
export const expiresAtOf = ({ choice, day }: Expiry, now = Date.now()): string | null => {
  if (choice === 'never') return null
  const end = choice === 'other' ? new Date(`${day}T23:59:59`) : new Date(now + Number(choice) * 86_400_000)
  return end.toISOString()
}

export const ExpiryField = ({
  value,
  onChange,
  error,
}: {
  readonly value: Expiry
  readonly onChange: (expiry: Expiry) => void
  readonly error?: ReactNode
}) => {
  const t = useTexts('account.apiKeys')
  return (
    <Group align="end">
      <Select
        label={t('for')}
        allowDeselect={false}
        value={value.choice}
        error={error}
        data={choices.map((choice) => ({ value: choice, label: t(`lasts-${choice}`) }))}
        onChange={(chosen) =>
          onChange({ ...value, choice: choices.find((one) => one === chosen) ?? value.choice })
        }
      />
      {value.choice === 'other' && (
        <TextInput
          type="date"
          label={t('until')}
          required
          value={value.day}
          onChange={(event) => onChange({ ...value, day: event.currentTarget.value })}
        />
      )}
    </Group>
  )
}
