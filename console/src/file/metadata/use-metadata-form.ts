import type { MediaFile, Project } from '@zoetrope/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useRecordEdits, type RecordEdits } from '../../ui/forms/record/use-record-edits.ts'
import { fileQuery } from '../file-query.ts'
import { bodyOf, fieldsOf } from './metadata-edits.ts'
import { issuesOf, serverIssues, type IssueKey } from './metadata-issues.ts'

export interface MetadataForm extends RecordEdits {
  readonly file: MediaFile
  readonly project: Project
  readonly valueOf: (name: string) => unknown
  readonly issueOf: (name: string) => IssueKey | null
  readonly serverIssueOf: (name: string) => string | null
  readonly isValid: boolean
  readonly problem: Error | null
}

/** The metadata of a file. Others may change it, and so does the encode. */
export const useMetadataForm = (file: MediaFile, project: Project): MetadataForm => {
  const queryClient = useQueryClient()
  const { MetadataFields } = project
  const typedNames = useMemo(() => MetadataFields.map(({ Name }) => Name), [MetadataFields])
  const query = fileQuery(file.ProjectId, file.Id)
  const form = useRecordEdits(
    file,
    (record) => fieldsOf(record, typedNames),
    (fields, edits) => Object.keys(issuesOf(fields, edits, MetadataFields)).length === 0,
    {
      reload: () => queryClient.fetchQuery({ ...query, staleTime: 0 }),
      update: (latest, sent, options) =>
        zoetrope.files.update(file.ProjectId, file.Id, bodyOf(latest, sent, typedNames), options),
      store: (saved) => {
        queryClient.setQueryData(query.queryKey, saved)
        void queryClient.invalidateQueries({ queryKey: queryKeys.files(file.ProjectId) })
      },
    },
  )
  const { fields, edits } = form
  const issues = issuesOf(fields, edits, MetadataFields)
  const fromServer = serverIssues(form.error)
  return {
    ...form,
    file,
    project,
    valueOf: (name) => (name in edits ? edits[name]?.value : fields[name]),
    issueOf: (name) => issues[name] ?? null,
    serverIssueOf: (name) => fromServer[name] ?? null,
    isValid: Object.keys(issues).length === 0,
    // The names of custom fields are those of the user, so the bar repeats what a field shows.
    problem: form.error,
  }
}
