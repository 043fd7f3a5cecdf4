import type { Project } from '@zoetrope/sdk'
import { MultiSelect, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { useField, useMetadata } from './fields-context.ts'
import { customField, otherFields } from './metadata-edits.ts'
import { AreaField, NumberField, TagsField, TextField, TimeField } from './plain-fields.tsx'

type MetadataField = Project['MetadataFields'][number]

const ChoiceField = ({ field }: { readonly field: MetadataField }) => {
  const name = customField(field.Name)
  const { value, set, error, disabled } = useField(name)
  const common = {
    label: field.Name,
    data: [...(field.Values ?? [])],
    withAsterisk: field.IsRequired === true,
    searchable: true,
    clearable: field.IsRequired !== true,
    error,
    disabled,
  }
  return field.Type === 'list' ? (
    <MultiSelect {...common} value={Array.isArray(value) ? value.map(String) : []} onChange={set} />
  ) : (
    <Select {...common} value={typeof value === 'string' ? value : null} onChange={set} />
  )
}

const DayField = ({ field }: { readonly field: MetadataField }) => {
  const name = customField(field.Name)
  const { value, set, error, disabled } = useField(name)
  return (
    <TextInput
      type="date"
      label={field.Name}
      value={typeof value === 'string' ? value : ''}
      withAsterisk={field.IsRequired === true}
      error={error}
      disabled={disabled}
      onChange={({ currentTarget }) => set(currentTarget.value === '' ? null : currentTarget.value)}
    />
  )
}

const YesNoField = ({ field }: { readonly field: MetadataField }) => {
  const t = useTexts('file.custom')
  const name = customField(field.Name)
  const { value, set, error, disabled } = useField(name)
  return (
    <Select
      label={field.Name}
      data={[
        { value: 'true', label: t('yes') },
        { value: 'false', label: t('no') },
      ]}
      value={typeof value === 'boolean' ? String(value) : null}
      withAsterisk={field.IsRequired === true}
      clearable={field.IsRequired !== true}
      error={error}
      disabled={disabled}
      onChange={(next) => set(next === null ? null : next === 'true')}
    />
  )
}

const CustomField = ({ field }: { readonly field: MetadataField }) => {
  const props = { name: customField(field.Name), label: field.Name, isRequired: field.IsRequired === true }
  if (field.Values != null) return <ChoiceField field={field} />
  switch (field.Type) {
    case 'string':
      return <TextField {...props} maxLength={10_000} />
    case 'number':
      return <NumberField {...props} />
    case 'integer':
      return <NumberField {...props} isWhole />
    case 'boolean':
      return <YesNoField field={field} />
    case 'date':
      return <DayField field={field} />
    case 'datetime':
      return <TimeField {...props} />
    case 'list':
      return <TagsField {...props} />
  }
}

/** The fields that the project defines, by type. */
export const ProjectFields = () => {
  const { form } = useMetadata()
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {form.project.MetadataFields.map((field) => (
        <CustomField key={field.Name} field={field} />
      ))}
    </SimpleGrid>
  )
}

export const adsDisabled = customField('adsDisabled')

/** The fields that every project has, and all others as JSON. */
export const OtherFields = () => {
  const t = useTexts('file.custom')
  const ads = useField(adsDisabled)
  return (
    <Stack>
      <Switch
        label={t('adsDisabled')}
        checked={ads.value === true}
        disabled={ads.disabled}
        onChange={(event) => ads.set(event.currentTarget.checked)}
      />
      <AreaField name={otherFields} label={t('others')} description={t('othersAdvice')} isCode />
    </Stack>
  )
}
