import { useId, type SyntheticEvent } from 'react'
import { fieldErrors } from '../field-errors.ts'
import { areAllShown, type FormFields, type InputProps } from '../form-fields.ts'
import { changedOf, type Fields } from './record-edits.ts'
import { useRecordEdits, type IfMatch, type RecordAccess, type RecordEdits } from './use-record-edits.ts'

export interface RecordForm<Values extends object> extends RecordEdits, FormFields<Values> {
  readonly isValid: boolean
  /** The error that no field shows. */
  readonly problem: Error | null
  readonly submit: (event: SyntheticEvent) => void
}

interface Changes<Values> {
  /** The stored values. */
  readonly before: Values
  /** The stored values with all edits. */
  readonly after: Values
  readonly changed: Partial<Values>
}

const isChangeEvent = (change: unknown): change is { currentTarget: HTMLInputElement } =>
  typeof change === 'object' && change !== null && 'currentTarget' in change

const valueOfChange = (change: unknown): unknown => {
  if (!isChangeEvent(change)) return change
  const { type, checked, value } = change.currentTarget
  return type === 'checkbox' ? checked : value
}

/** The form of a stored record: like `useSaveForm`, with the rules of `useRecordEdits`. */
export const useRecordForm = <Stored extends object, Values extends object>({
  record,
  valuesOf,
  update,
  validate = () => ({}),
  ...access
}: Pick<RecordAccess<Stored>, 'etagOf' | 'reload' | 'store'> & {
  readonly record: Stored
  readonly valuesOf: (record: Stored) => Values
  readonly update: (changes: Changes<Values>, options: IfMatch) => Promise<Stored>
  /** Returns the errors of fields that the browser does not validate. */
  readonly validate?: (values: Values) => Readonly<Record<string, string>>
}): RecordForm<Values> => {
  const id = useId()
  const withEdits = (stored: Fields, changed: Fields): Values => ({ ...stored, ...changed }) as Values
  const fieldsOf = (stored: Stored): Fields => Object.fromEntries(Object.entries(valuesOf(stored)))
  const form = useRecordEdits(
    record,
    fieldsOf,
    (fields, edits) => Object.keys(validate(withEdits(fields, changedOf(edits)))).length === 0,
    {
      ...access,
      update: (latest, sent, options) => {
        const changed = changedOf(sent)
        const after = withEdits(fieldsOf(latest), changed)
        return update({ before: valuesOf(latest), after, changed: changed as Partial<Values> }, options)
      },
      onError: (error) => {
        const [first] = Object.keys(fieldErrors(error))
        // Screen readers announce the message of a field that receives focus.
        if (first !== undefined)
          document.querySelector<HTMLElement>(`[data-path="${CSS.escape(`${id}-${first}`)}"]`)?.focus()
      },
    },
  )
  const values = withEdits(form.fields, changedOf(form.edits))
  const issues = validate(values)
  const isEdited = Object.keys(form.edits).length > 0
  const errors = { ...(isEdited && fieldErrors(form.error)), ...issues }
  return {
    ...form,
    values,
    errors,
    isValid: Object.keys(issues).length === 0,
    problem: areAllShown(form.error, values) ? null : form.error,
    setFieldValue: form.set,
    getInputProps: (name, { type = 'input' } = {}): InputProps => ({
      ...{ 'data-path': `${id}-${name}` },
      [type === 'checkbox' ? 'checked' : 'value']: values[name],
      error: errors[name] ?? null,
      onChange: (change: unknown) => form.set(name, valueOfChange(change)),
    }),
    submit: (event) => {
      event.preventDefault()
      form.save()
    },
  }
}
