import { metaOf, StaleRecordError, type MediaFile, type Project } from '@zoetrope/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { fileQuery } from '../file-query.ts'
import {
  afterSave,
  bodyOf,
  conflictsOf,
  fieldsOf,
  insistOn,
  withEdit,
  withoutEdit,
  type Edits,
  type Fields,
} from './metadata-edits.ts'
import { issuesOf, serverIssues, type IssueKey } from './metadata-issues.ts'

/** A concurrent change of an edited field, which the user must resolve. */
class EditConflict extends Error {}

/** A busy encode changes the record at most several times a second. */
const maxTries = 5

export interface MetadataForm {
  readonly file: MediaFile
  readonly project: Project
  readonly valueOf: (name: string) => unknown
  readonly set: (name: string, value: unknown) => void
  readonly issueOf: (name: string) => IssueKey | null
  readonly serverIssueOf: (name: string) => string | null
  readonly editedNames: readonly string[]
  readonly conflicts: readonly string[]
  readonly theirs: Fields
  readonly takeTheirs: (names: readonly string[]) => void
  readonly keepMine: (names: readonly string[]) => void
  readonly discard: () => void
  readonly save: () => void
  readonly isSaving: boolean
  readonly isSaved: boolean
  readonly isValid: boolean
  readonly error: Error | null
}

/**
 * Keeps edits separate from the record, which may change at any time. Unedited fields follow the record,
 * concurrent changes are never overwritten (If-Match), and the user resolves conflicts.
 */
export const useMetadataForm = (file: MediaFile, project: Project): MetadataForm => {
  const queryClient = useQueryClient()
  const [edits, setEdits] = useState<Edits>({})
  const typedNames = useMemo(() => project.MetadataFields.map(({ Name }) => Name), [project])
  const fields = useMemo(() => fieldsOf(file, typedNames), [file, typedNames])
  const query = fileQuery(file.ProjectId, file.Id)

  const save = useMutation({
    mutationFn: async (sent: Edits) => {
      let latest = file
      for (let tries = 1; ; tries += 1) {
        if (conflictsOf(fieldsOf(latest, typedNames), sent).length > 0) throw new EditConflict()
        const etag = metaOf(latest)?.etag
        try {
          return await zoetrope.files.update(
            file.ProjectId,
            file.Id,
            bodyOf(latest, sent, typedNames),
            etag == null ? {} : { ifMatch: etag },
          )
        } catch (error) {
          if (!(error instanceof StaleRecordError) || tries === maxTries) throw error
          latest = await queryClient.fetchQuery({ ...query, staleTime: 0 })
        }
      }
    },
    onSuccess: (saved, sent) => {
      queryClient.setQueryData(query.queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: queryKeys.files(file.ProjectId) })
      setEdits((current) => afterSave(fieldsOf(saved, typedNames), current, sent))
    },
  })

  const conflicts = conflictsOf(fields, edits)
  const issues = issuesOf(fields, edits, project.MetadataFields)
  const fromServer = serverIssues(save.error)
  return {
    file,
    project,
    valueOf: (name) => (name in edits ? edits[name]?.value : fields[name]),
    set: (name, value) => {
      if (save.isSuccess) save.reset()
      setEdits((current) => withEdit(fields, current, name, value))
    },
    issueOf: (name) => issues[name] ?? null,
    serverIssueOf: (name) => fromServer[name] ?? null,
    editedNames: Object.keys(edits),
    conflicts,
    theirs: fields,
    takeTheirs: (names) =>
      setEdits((current) => names.reduce((left, name) => withoutEdit(left, name), current)),
    keepMine: (names) => setEdits((current) => insistOn(fields, current, names)),
    discard: () => {
      save.reset()
      setEdits({})
    },
    save: () => save.mutate(edits),
    isSaving: save.isPending,
    isSaved: save.isSuccess,
    isValid: Object.keys(issues).length === 0,
    // The fields show the conflict.
    error: save.error instanceof EditConflict ? null : save.error,
  }
}
