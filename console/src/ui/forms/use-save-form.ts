import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { fieldErrors } from './field-errors.ts'
import { areAllShown, shownFields, type FormFields } from './form-fields.ts'
import { keepTyped } from './keep-typed.ts'

type Form<Values extends object> = ReturnType<typeof useForm<Values>>

/**
 * A form whose values one mutation saves. Errors of the API appear at the fields that they name; the form
 * shows `problem`, the error that no field shows. `useRecordForm` is for records that others can change.
 */
export const useSaveForm = <Values extends object, Saved>({
  initialValues,
  validate = () => ({}),
  save,
  valuesAfter,
  onSaved,
}: {
  readonly initialValues: Values
  /** Returns the errors of fields that the browser does not validate. */
  readonly validate?: (values: Values) => Readonly<Record<string, string>>
  readonly save: (values: Values, form: Form<Values>) => Promise<Saved>
  /** For a form that stays open: its values after a save. What was typed during the request is kept. */
  readonly valuesAfter?: (saved: Saved) => Values
  /** The form shows that it is saving until this ends. */
  readonly onSaved?: (saved: Saved) => unknown
}) => {
  // Makes the inputs of this form findable. Mantine allows letters, digits and dashes.
  const name = useId().replaceAll(/[^\da-z]/gi, '')
  // An error describes the values that were sent, so it stays until the next submit.
  const form: Form<Values> = useForm({ name, initialValues, clearInputErrorOnChange: false })
  const saving = useMutation({
    mutationFn: (values: Values) => save(values, form),
    onSuccess: (saved, sent) => {
      if (valuesAfter !== undefined) {
        const stored = valuesAfter(saved)
        const shown = keepTyped(form.getValues(), sent, stored)
        form.setInitialValues(stored)
        form.setValues(shown)
        form.clearErrors()
      }
      return onSaved?.(saved)
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error))
      const [first] = shownFields(error, form.values)
      // Screen readers announce the message of a field that receives focus.
      if (first !== undefined) form.getInputNode(first)?.focus()
    },
  })
  const fields: FormFields<Values> = {
    values: form.values,
    errors: form.errors,
    getInputProps: form.getInputProps,
    setFieldValue: (field, value) => {
      form.setFieldValue(field, () => value as never)
      form.clearFieldError(field)
    },
  }
  return {
    ...form,
    /** For fields that a form of `useRecordForm` also shows. */
    fields,
    saving,
    problem: areAllShown(saving.error, form.values) ? null : saving.error,
    submit: form.onSubmit((values) => {
      const errors = validate(values)
      if (Object.keys(errors).length === 0) saving.mutate(values)
      else form.setErrors(errors)
    }),
  }
}
