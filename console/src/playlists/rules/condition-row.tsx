import { ActionIcon, Fieldset, Group, Select, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTexts } from '../../shell/texts.ts'
import { ConditionValue } from './condition-value.tsx'
import type { Condition } from '../playlist-queries.ts'
import {
  customField,
  customNameOf,
  kindOf,
  operatorFor,
  operatorsOf,
  ruleFields,
  takesValue,
  isRuleField,
  type RuleField,
} from './rule-fields.ts'

const fieldNames = Object.keys(ruleFields) as RuleField[]

/** Returns the condition with another value, or without a value when its operator takes none. */
const withValue = ({ Field, Operator }: Condition, value: Condition['Value']): Condition =>
  takesValue(Operator) ? { Field, Operator, Value: value ?? null } : { Field, Operator }

export const ConditionRow = ({
  condition,
  index,
  errors,
  onChange,
  onRemove,
}: {
  readonly condition: Condition
  readonly index: number
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}) => {
  const t = useTexts('playlists.rules')
  const { Field, Operator } = condition
  const place = `Rules.Conditions[${index}]`
  const customName = customNameOf(Field)
  const number = index + 1
  const changeField = (field: string): void => {
    const next = { Field: field, Operator: operatorFor(field, Operator) }
    // A value is kept only between fields of the same kind.
    const isKept = kindOf(field) === kindOf(Field) && kindOf(field) !== 'choice'
    onChange(withValue(next, isKept ? condition.Value : null))
  }
  const changeOperator = (operator: Condition['Operator']): void => {
    const isList = (one: Condition['Operator']): boolean => one === 'in'
    const isKept =
      isList(operator) === isList(Operator) && operator !== 'withinDays' && Operator !== 'withinDays'
    onChange(withValue({ Field, Operator: operator }, isKept ? condition.Value : null))
  }
  return (
    <Fieldset legend={t('condition', { number })} p="xs">
      <Group align="end" gap="xs" wrap="nowrap">
        <Group align="end" gap="xs" flex={1}>
          <Select
            label={t('field')}
            flex={1}
            miw={150}
            searchable
            allowDeselect={false}
            value={isRuleField(Field) ? Field : 'custom'}
            error={errors[`${place}.Field`]}
            data={[
              ...fieldNames.map((name) => ({ value: name as string, label: t(name) })),
              { value: 'custom', label: t('custom') },
            ]}
            onChange={(value) => value !== null && changeField(value === 'custom' ? customField('') : value)}
          />
          {customName !== null && (
            <TextInput
              label={t('customName')}
              flex={1}
              miw={150}
              maxLength={100}
              value={customName}
              onChange={(event) => onChange({ ...condition, Field: customField(event.currentTarget.value) })}
            />
          )}
          <Select
            label={t('operator')}
            flex={1}
            miw={150}
            allowDeselect={false}
            value={Operator}
            error={errors[`${place}.Operator`]}
            data={operatorsOf[kindOf(Field)].map((value) => ({ value, label: t(value) }))}
            onChange={(value) => {
              const operator = operatorsOf[kindOf(Field)].find((one) => one === value)
              if (operator !== undefined) changeOperator(operator)
            }}
          />
          {takesValue(Operator) && (
            <ConditionValue
              condition={condition}
              error={errors[`${place}.Value`]}
              onChange={(value) => onChange(withValue(condition, value))}
            />
          )}
        </Group>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="input-sm"
          aria-label={t('removeCondition', { number })}
          onClick={onRemove}
        >
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </Fieldset>
  )
}
