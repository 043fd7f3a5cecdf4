import { ActionIcon, Button, Checkbox, Fieldset, Group, Select, TagsInput, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../shell/texts.ts'
import type { FieldForm, FieldType } from './settings-form.ts'

const types: readonly FieldType[] = ['string', 'number', 'integer', 'boolean', 'date', 'datetime', 'list']
const maxFields = 100

const inputTypes = { date: 'date', number: 'number', integer: 'number' } as const
const placeholders = { datetime: '2026-03-01T12:00:00Z', list: 'a, b' } as const

const inputTypeOf = (type: FieldType): string => inputTypes[type as keyof typeof inputTypes] ?? 'text'

const DefaultInput = ({
  field,
  onChange,
}: {
  readonly field: FieldForm
  readonly onChange: (text: string) => void
}) => {
  const t = useTexts('projects.settings')
  if (field.type === 'boolean')
    return (
      <Select
        label={t('fieldDefault')}
        w={140}
        allowDeselect={false}
        value={field.default}
        data={[
          { value: '', label: t('none') },
          { value: 'true', label: t('yes') },
          { value: 'false', label: t('no') },
        ]}
        onChange={(value) => onChange(value ?? '')}
      />
    )
  return (
    <TextInput
      label={t('fieldDefault')}
      w={200}
      type={inputTypeOf(field.type)}
      step="any"
      maxLength={10_000}
      placeholder={placeholders[field.type as keyof typeof placeholders] ?? ''}
      value={field.default}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

export const FieldsEditor = ({
  fields,
  onChange,
  errorAt,
}: {
  readonly fields: readonly FieldForm[]
  readonly onChange: (fields: FieldForm[]) => void
  readonly errorAt: (index: number) => ReactNode
}) => {
  const t = useTexts('projects.settings')
  const set = (at: number, changes: Partial<FieldForm>): void =>
    onChange(fields.map((field, index) => (index === at ? { ...field, ...changes } : field)))
  return (
    <>
      {fields.map((field, index) => (
        <Fieldset key={index} legend={field.name || `${t('fieldName')} ${index + 1}`}>
          <Group align="flex-start" gap="sm">
            <TextInput
              label={t('fieldName')}
              w={200}
              required
              maxLength={100}
              value={field.name}
              error={errorAt(index)}
              onChange={(event) => set(index, { name: event.currentTarget.value })}
            />
            <Select
              label={t('fieldType')}
              w={160}
              allowDeselect={false}
              value={field.type}
              data={types.map((value) => ({ value, label: t(value) }))}
              onChange={(value) => {
                const type = types.find((one) => one === value)
                if (type !== undefined) set(index, { type, default: '' })
              }}
            />
            {(field.type === 'string' || field.type === 'list') && (
              <TagsInput
                label={t('fieldValues')}
                description={t('fieldValuesHelp')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                maxTags={500}
                acceptValueOnBlur
                miw={220}
                value={field.values}
                onChange={(values) => set(index, { values })}
              />
            )}
            <DefaultInput field={field} onChange={(text) => set(index, { default: text })} />
            <Checkbox
              mt={32}
              label={t('fieldRequired')}
              checked={field.isRequired}
              onChange={(event) => set(index, { isRequired: event.currentTarget.checked })}
            />
            <ActionIcon
              mt={25}
              size="input-sm"
              variant="subtle"
              color="gray"
              aria-label={t('removeField', { name: field.name || String(index + 1) })}
              onClick={() => onChange(fields.filter((_field, at) => at !== index))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </Fieldset>
      ))}
      <Button
        variant="default"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={fields.length >= maxFields}
        onClick={() =>
          onChange([...fields, { name: '', type: 'string', isRequired: false, values: [], default: '' }])
        }
      >
        {t('addField')}
      </Button>
    </>
  )
}
