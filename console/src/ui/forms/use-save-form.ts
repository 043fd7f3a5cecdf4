import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { fieldErrors } from './field-errors.ts'

type Form<Values extends object> = ReturnType<typeof useForm<Values>>

/** Whether a path such as `SignIn.ClientId` leads to a value. */
const isField = (values: object, path: string): boolean =>
  path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], values) !==
  undefined

/**
 * A form whose values one mutation saves. Errors of the API appear at the fields that they name; the form
 * shows `problem`, the error that no field shows.
 */
export const useSaveForm = <Values extends object, Saved>({
  initialValues,
  validate = () => ({}),
  save,
  onSaved,
}: {
  readonly initialValues: Values
  /** Returns the errors of fields that the browser does not validate. */
  readonly validate?: (values: Values) => Readonly<Record<string, string>>
  readonly save: (values: Values, form: Form<Values>) => Promise<Saved>
  /** The form shows that it is saving until this ends. */
  readonly onSaved?: (saved: Saved, form: Form<Values>) => unknown
}) => {
  // Makes the inputs of this form findable. Mantine allows letters, digits and dashes.
  const name = useId().replaceAll(/[^\da-z]/gi, '')
  // An error describes the values that were sent, so it stays until the next submit.
  const form: Form<Values> = useForm({ name, initialValues, clearInputErrorOnChange: false })
  const fieldsOf = (error: unknown) => {
    const named = Object.keys(fieldErrors(error))
    const shown = named.filter((field) => isField(form.values, field))
    return { shown, areAll: named.length > 0 && shown.length === named.length }
  }
  const saving = useMutation({
    mutationFn: (values: Values) => save(values, form),
    onSuccess: (saved) => onSaved?.(saved, form),
    onError: (error) => {
      form.setErrors(fieldErrors(error))
      const [first] = fieldsOf(error).shown
      // Screen readers announce the message of a field that receives focus.
      if (first !== undefined) form.getInputNode(first)?.focus()
    },
  })
  return {
    ...form,
    saving,
    problem: fieldsOf(saving.error).areAll ? null : saving.error,
    submit: form.onSubmit((values) => {
      const errors = validate(values)
      if (Object.keys(errors).length === 0) saving.mutate(values)
      else form.setErrors(errors)
    }),
  }
}
