import type { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { fieldErrors, listOf } from './field-errors.ts'

export type InputProps = ReturnType<ReturnType<typeof useForm<object>>['getInputProps']>

/** What the fields of a form need of it. */
export interface FormFields<Values extends object> {
  readonly values: Values
  readonly errors: Readonly<Record<string, ReactNode>>
  readonly getInputProps: (
    name: keyof Values & string,
    options?: { readonly type?: 'input' | 'checkbox' },
  ) => InputProps
  readonly setFieldValue: <Name extends keyof Values & string>(name: Name, value: Values[Name]) => void
}

/** Whether a path such as `SignIn.ClientId` leads to a value. */
const isField = (values: object, path: string): boolean =>
  listOf(path)
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], values) !==
  undefined

/** The fields of the form that an error of the API names. */
export const shownFields = (error: unknown, values: object): string[] =>
  Object.keys(fieldErrors(error)).filter((field) => isField(values, field))

/** Whether the fields of the form show all that the error says. */
export const areAllShown = (error: unknown, values: object): boolean => {
  const named = Object.keys(fieldErrors(error))
  return named.length > 0 && shownFields(error, values).length === named.length
}
