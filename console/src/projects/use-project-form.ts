import { useQueryClient } from '@tanstack/react-query'
import type { Project } from '@zoetrope/sdk'
import type { ReactNode } from 'react'
import { projectQuery } from '../file/file-query.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { useRecordForm } from '../ui/forms/record/use-record-form.ts'
import { changesOf, formOf } from './settings-form.ts'

/** As the API checks them. */
const domain = /^(\*\.)?[\da-z.\u00a1-\uffff-]+(:\d+)?$/i

/** All settings in one form. Only changes are sent. */
export const useProjectForm = (project: Project) => {
  const t = useTexts('projects.settings')
  const queryClient = useQueryClient()
  const form = useRecordForm({
    record: project,
    valuesOf: formOf,
    validate: ({ AllowedDomains }): Readonly<Record<string, string>> => {
      const wrong = AllowedDomains.find((one) => !domain.test(one))
      return wrong === undefined ? {} : { AllowedDomains: t('domainInvalid', { domain: wrong }) }
    },
    reload: () => queryClient.fetchQuery({ ...projectQuery(project.Id), staleTime: 0 }),
    update: ({ before, after }, options) =>
      zoetrope.projects.update(project.Id, changesOf(before, after), options),
    store: (saved) => {
      queryClient.setQueryData(queryKeys.project(project.Id), saved)
      void queryClient.invalidateQueries({ queryKey: queryKeys.projects })
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
  return { form, errorOf }
}

export type ProjectForm = ReturnType<typeof useProjectForm>
