import { useQueryClient } from '@tanstack/react-query'
import type { Project } from '@zoetrope/sdk'
import type { ReactNode } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { useSaveForm } from '../ui/forms/use-save-form.ts'
import { useToasts } from '../ui/toasts.tsx'
import { changesOf, formOf } from './settings-form.ts'

/** All settings in one form. Only changes are sent. */
export const useProjectForm = (project: Project) => {
  const t = useTexts('projects.settings')
  const toasts = useToasts()
  const queryClient = useQueryClient()
  const form = useSaveForm({
    initialValues: formOf(project),
    save: (values, { getInitialValues }) =>
      zoetrope.projects.update(project.Id, changesOf(getInitialValues(), values)),
    onSaved: (saved, { setInitialValues, reset }) => {
      setInitialValues(formOf(saved))
      reset()
      toasts.done(t('saved'))
      return queryClient.invalidateQueries({ queryKey: queryKeys.projects })
    },
  })
  const { errors } = form
  /** The API also names nested fields: `AllowedDomains[1]`. */
  const errorOf = (name: string): ReactNode => {
    const found = Object.keys(errors).find(
      (field) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`),
    )
    return found === undefined ? null : errors[found]
  }
  const isChanged = Object.keys(changesOf(form.getInitialValues(), form.values)).length > 0
  return { form, errorOf, isChanged }
}

export type ProjectForm = Pick<ReturnType<typeof useProjectForm>, 'form' | 'errorOf'>
