import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { fieldErrors } from './field-errors.ts'

type Form<Values extends object> = ReturnType<typeof useForm<Values>>

/** A form whose values one mutation saves. Errors of the API appear at the fields that they name. */
export const useSaveForm = <Values extends object, Saved>({
  initialValues,
  save,
  onSaved,
}: {
  readonly initialValues: Values
  readonly save: (values: Values, form: Form<Values>) => Promise<Saved>
  /** The form shows that it is saving until this ends. */
  readonly onSaved?: (saved: Saved, form: Form<Values>) => unknown
}) => {
  // An error describes the values that were sent, so it stays until the next submit.
  const form: Form<Values> = useForm({ initialValues, clearInputErrorOnChange: false })
  const saving = useMutation({
    mutationFn: (values: Values) => save(values, form),
    onSuccess: (saved) => onSaved?.(saved, form),
    onError: (error) => form.setErrors(fieldErrors(error)),
  })
  return { ...form, saving, submit: form.onSubmit((values) => saving.mutate(values)) }
}
