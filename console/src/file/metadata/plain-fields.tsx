import { NumberInput, TagsInput, Textarea, TextInput } from '@mantine/core'
import { localTime } from '../../ui/forms/local-time.ts'
import { LanguageInput } from '../language-input.tsx'
import { useField } from './fields-context.ts'

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly description?: string
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const TextField = ({
  name,
  label,
  description,
  maxLength = 500,
  isRequired = false,
}: FieldProps & { readonly maxLength?: number; readonly isRequired?: boolean }) => {
  const { value, set, error, disabled } = useField(name)
  return (
    <TextInput
      label={label}
      description={description}
      value={textOf(value)}
      withAsterisk={isRequired}
      maxLength={maxLength}
      error={error}
      disabled={disabled}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

export const AreaField = ({
  name,
  label,
  description,
  isCode = false,
}: FieldProps & { readonly isCode?: boolean }) => {
  const { value, set, error, disabled } = useField(name)
  return (
    <Textarea
      label={label}
      description={description}
      value={textOf(value)}
      autosize
      minRows={3}
      maxRows={14}
      maxLength={isCode ? 32_768 : 10_000}
      error={error}
      disabled={disabled}
      spellCheck={!isCode}
      {...(isCode ? { styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } } : {})}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

export const NumberField = ({
  name,
  label,
  description,
  min,
  max,
  isWhole = false,
  isRequired = false,
}: FieldProps & {
  readonly min?: number
  readonly max?: number
  readonly isWhole?: boolean
  readonly isRequired?: boolean
}) => {
  const { value, set, error, disabled } = useField(name)
  return (
    <NumberInput
      label={label}
      description={description}
      value={typeof value === 'number' ? value : ''}
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      allowDecimal={!isWhole}
      withAsterisk={isRequired}
      error={error}
      disabled={disabled}
      hideControls={!isWhole}
      onChange={(next) => set(typeof next === 'number' ? next : null)}
    />
  )
}

export const TagsField = ({
  name,
  label,
  description,
  isRequired = false,
}: FieldProps & { readonly isRequired?: boolean }) => {
  const { value, set, error, disabled } = useField(name)
  const tags: string[] = Array.isArray(value) ? value.map(String) : []
  return (
    <TagsInput
      label={label}
      description={description}
      value={tags}
      maxTags={100}
      withAsterisk={isRequired}
      error={error}
      disabled={disabled}
      onChange={set}
    />
  )
}

export const LanguageField = ({ name, label, description }: FieldProps) => {
  const { value, set, error, disabled } = useField(name)
  return (
    <LanguageInput
      label={label}
      description={description}
      value={textOf(value)}
      maxLength={35}
      error={error}
      disabled={disabled}
      onChange={set}
    />
  )
}

const instantOf = (local: string): string | null => {
  const at = new Date(local)
  return local === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

export const TimeField = ({
  name,
  label,
  description,
  isForbidden = false,
  isRequired = false,
}: FieldProps & { readonly isForbidden?: boolean; readonly isRequired?: boolean }) => {
  const { value, set, error, disabled } = useField(name)
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={description}
      value={typeof value === 'string' ? localTime(value) : ''}
      withAsterisk={isRequired}
      error={error}
      disabled={disabled || isForbidden}
      onChange={(event) => set(instantOf(event.currentTarget.value))}
    />
  )
}
