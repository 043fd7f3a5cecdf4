import { Button, Group, NumberInput, Select, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTexts } from '../../shell/texts.ts'
import { ConditionRow } from './condition-row.tsx'
import type { Condition, Rules } from '../playlist-queries.ts'

const maxConditions = 20
const maxLimit = 1_000
const matches = ['all', 'any'] as const
const orders = ['created', 'updated', 'title', 'length', 'size'] as const
const directions = ['desc', 'asc'] as const

export const RulesEditor = ({
  rules,
  errors,
  onChange,
}: {
  readonly rules: Rules
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (rules: Rules) => void
}) => {
  const t = useTexts('playlists.rules')
  const { Conditions } = rules
  const setCondition = (index: number, condition: Condition): void =>
    onChange({ ...rules, Conditions: Conditions.with(index, condition) })
  return (
    <Stack>
      <Select
        label={t('match')}
        allowDeselect={false}
        value={rules.Match}
        data={matches.map((value) => ({ value, label: t(value) }))}
        onChange={(value) => onChange({ ...rules, Match: value === 'any' ? 'any' : 'all' })}
      />
      {Conditions.length === 0 && <Text size="sm">{t('none')}</Text>}
      {Conditions.map((condition, index) => (
        <ConditionRow
          // Conditions have no ids, and each row depends only on its value.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          condition={condition}
          index={index}
          errors={errors}
          onChange={(next) => setCondition(index, next)}
          onRemove={() => onChange({ ...rules, Conditions: Conditions.toSpliced(index, 1) })}
        />
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={Conditions.length >= maxConditions}
          onClick={() =>
            onChange({
              ...rules,
              Conditions: [...Conditions, { Field: 'Title', Operator: 'contains', Value: '' }],
            })
          }
        >
          {t('addCondition')}
        </Button>
      </Group>
      <Group align="end">
        <Select
          label={t('orderBy')}
          allowDeselect={false}
          value={rules.OrderBy}
          data={orders.map((value) => ({ value, label: t(value) }))}
          onChange={(value) => {
            const OrderBy = orders.find((one) => one === value)
            if (OrderBy !== undefined) onChange({ ...rules, OrderBy })
          }}
        />
        <Select
          label={t('sort')}
          allowDeselect={false}
          value={rules.Sort}
          data={directions.map((value) => ({ value, label: t(value) }))}
          onChange={(value) => onChange({ ...rules, Sort: value === 'asc' ? 'asc' : 'desc' })}
        />
        <NumberInput
          label={t('limit')}
          min={1}
          max={maxLimit}
          allowDecimal={false}
          value={rules.Limit}
          error={errors['Rules.Limit']}
          onChange={(value) => typeof value === 'number' && onChange({ ...rules, Limit: value })}
        />
      </Group>
    </Stack>
  )
}
