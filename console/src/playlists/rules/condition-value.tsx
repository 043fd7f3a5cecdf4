import { Autocomplete, MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { allProjects } from '../../projects/all-projects.ts'
import { useTexts } from '../../shell/texts.ts'
import { localTime } from '../../ui/forms/local-time.ts'
import { catalogLabels } from './catalog-labels.ts'
import type { Condition } from '../playlist-queries.ts'
import { choicesOf, kindOf } from './rule-fields.ts'

interface ValueProps {
  readonly condition: Condition
  readonly error: string | undefined
  readonly onChange: (value: Condition['Value']) => void
}

const listOf = (value: Condition['Value']): string[] => (Array.isArray(value) ? value.map(String) : [])
const textOf = (value: Condition['Value']): string =>
  value == null || Array.isArray(value) ? '' : String(value)

export const ConditionValue = (props: ValueProps) => {
  const { Field, Operator } = props.condition
  const kind = kindOf(Field)
  if (Operator === 'withinDays') return <NumberValue {...props} unit="days" min={1} max={36_500} />
  if (kind === 'instant') return <InstantValue {...props} />
  if (kind === 'choice' || kind === 'project') return <ChosenValue {...props} />
  if (kind === 'references') return <LabelValue {...props} />
  if (Operator === 'in') return <ListValue {...props} />
  if (kind === 'number' || Operator === 'greaterThan' || Operator === 'lessThan')
    return (
      <NumberValue {...props} unit={Field === 'Length' ? 'seconds' : Field === 'Size' ? 'bytes' : 'value'} />
    )
  if (kind === 'custom' && (Operator === 'equals' || Operator === 'notEquals'))
    return <CustomValue {...props} />
  return <TextValue {...props} />
}

const TextValue = ({ condition, error, onChange }: ValueProps) => {
  const t = useTexts('playlists.rules')
  return (
    <TextInput
      label={t('value')}
      maxLength={500}
      error={error}
      value={textOf(condition.Value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const NumberValue = ({
  condition,
  error,
  onChange,
  unit,
  ...limits
}: ValueProps & {
  readonly unit: 'days' | 'seconds' | 'bytes' | 'value'
  readonly min?: number
  readonly max?: number
}) => {
  const t = useTexts('playlists.rules')
  return (
    <NumberInput
      label={t(unit)}
      error={error}
      {...limits}
      value={typeof condition.Value === 'number' ? condition.Value : ''}
      onChange={(value) => onChange(typeof value === 'number' ? value : null)}
    />
  )
}

const InstantValue = ({ condition, error, onChange }: ValueProps) => {
  const t = useTexts('playlists.rules')
  return (
    <TextInput
      type="datetime-local"
      label={t('value')}
      error={error}
      value={localTime(textOf(condition.Value))}
      onChange={(event) => {
        const at = new Date(event.currentTarget.value)
        onChange(Number.isNaN(at.getTime()) ? null : at.toISOString())
      }}
    />
  )
}

const ListValue = ({ condition, error, onChange }: ValueProps) => {
  const t = useTexts('playlists.rules')
  const isNumeric = kindOf(condition.Field) === 'number'
  return (
    <TagsInput
      label={t('values')}
      maxTags={100}
      error={error}
      value={listOf(condition.Value)}
      onChange={(values) =>
        onChange(isNumeric ? values.map(Number).filter((value) => Number.isFinite(value)) : values)
      }
    />
  )
}

const ChosenValue = ({ condition, error, onChange }: ValueProps) => {
  const t = useTexts('playlists.rules')
  const release = useTexts('ui.releaseStatus')
  const { data: projects = [] } = useQuery(allProjects)
  const { Field, Operator, Value } = condition
  const isProject = Field === 'ProjectId'
  const data = isProject
    ? projects.map(({ Id, Name }) => ({ value: String(Id), label: Name }))
    : Field === 'Status'
      ? choicesOf.Status.map((value) => ({ value, label: value }))
      : choicesOf.ReleaseStatus.map((value) => ({ value, label: release(value) }))
  const valueOf = (text: string): string | number => (isProject ? Number(text) : text)
  if (Operator === 'in')
    return (
      <MultiSelect
        label={t('value')}
        searchable
        error={error}
        data={data}
        value={listOf(Value)}
        onChange={(values) => onChange(values.map(valueOf))}
      />
    )
  return (
    <Select
      label={t('value')}
      searchable
      error={error}
      data={data}
      value={textOf(Value) || null}
      onChange={(value) => onChange(value === null ? null : valueOf(value))}
    />
  )
}

/** Categories and video types show their labels; rules created through the API may use ids. */
const LabelValue = ({ condition, error, onChange }: ValueProps) => {
  const t = useTexts('playlists.rules')
  const { data: labels = [] } = useQuery(
    catalogLabels(condition.Field === 'Category' ? 'categories' : 'videotypes'),
  )
  const nameOf = (value: string | number | boolean): string =>
    labels.find(({ Id }) => Id === value)?.Label ?? String(value)
  const data = labels.map(({ Label }) => Label)
  const { Operator, Value } = condition
  if (Operator === 'in')
    return (
      <TagsInput
        label={t('values')}
        maxTags={100}
        error={error}
        data={data}
        value={Array.isArray(Value) ? Value.map(nameOf) : []}
        onChange={onChange}
      />
    )
  return (
    <Autocomplete
      label={t('value')}
      error={error}
      data={data}
      value={Value == null || Array.isArray(Value) ? '' : nameOf(Value)}
      onChange={onChange}
    />
  )
}

const valueKinds = ['text', 'number', 'boolean'] as const

/** Custom fields hold any JSON, so "2" and 2 differ. */
const CustomValue = (props: ValueProps) => {
  const t = useTexts('playlists.rules')
  const { condition, error, onChange } = props
  const { Value } = condition
  const kind = typeof Value === 'number' ? 'number' : typeof Value === 'boolean' ? 'boolean' : 'text'
  return (
    <>
      <Select
        label={t('kind')}
        allowDeselect={false}
        value={kind}
        data={valueKinds.map((value) => ({ value, label: t(value) }))}
        onChange={(chosen) => onChange(chosen === 'number' ? 0 : chosen === 'boolean' ? true : '')}
      />
      {kind === 'number' && <NumberValue {...props} unit="value" />}
      {kind === 'text' && <TextValue {...props} />}
      {kind === 'boolean' && (
        <Select
          label={t('value')}
          allowDeselect={false}
          error={error}
          value={Value === true ? 'yes' : 'no'}
          data={[
            { value: 'yes', label: t('yes') },
            { value: 'no', label: t('no') },
          ]}
          onChange={(chosen) => onChange(chosen === 'yes')}
        />
      )}
    </>
  )
}
