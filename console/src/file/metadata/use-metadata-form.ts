import { metaOf, StaleRecordError, type MediaFile, type Project } from '@zoetrope/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { fileQuery } from '../file-query.ts'
import {
  afterSave,
  bodyOf,
  conflictsOf,
  fieldsOf,
  insistOn,
  onlyEdits,
  withEdit,
  withoutEdits,
  type Edits,
  type Fields,
} from './metadata-edits.ts'
import { issuesOf, serverIssues, type IssueKey } from './metadata-issues.ts'

/** A concurrent change of an edited field, which the user must resolve. */
class EditConflict extends Error {}

export type Choice = 'mine' | 'theirs'

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
  /** Whether the conflict dialog is open. */
  readonly isResolving: boolean
  readonly askToResolve: (isAsked: boolean) => void
  /** Resolves the conflicts, then saves. */
  readonly resolve: (choices: Readonly<Record<string, Choice>>) => void
  readonly discard: () => void
  /** Does nothing without edits, or with invalid ones. */
  readonly save: () => void
  /**
   * Saves one field at once, and leaves other edits as they are. `base` is its value at the start of the edit,
   * if it has changed since.
   */
  readonly saveField: (name: string, value: unknown, base?: unknown) => void
  readonly isSaving: boolean
  readonly isValid: boolean
  readonly error: Error | null
}

/**
 * Keeps edits separate from the record, which may change at any time. Unedited fields follow the record,
 * concurrent changes are never overwritten (If-Match), and the user resolves conflicts.
 */
export const useMetadataForm = (file: MediaFile, project: Project): MetadataForm => {
  const t = useTexts('file.save')
  const { done } = useToasts()
  const queryClient = useQueryClient()
  const [edits, setEdits] = useState<Edits>({})
  const [isResolving, setResolving] = useState(false)
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
    onError: (error) => {
      if (error instanceof EditConflict) setResolving(true)
    },
    onSuccess: (saved, sent) => {
      queryClient.setQueryData(query.queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: queryKeys.files(file.ProjectId) })
      setEdits((current) => afterSave(fieldsOf(saved, typedNames), current, sent))
      done(t('saved'))
    },
  })

  const conflicts = conflictsOf(fields, edits)
  const issues = issuesOf(fields, edits, project.MetadataFields)
  const fromServer = serverIssues(save.error)
  const isValid = Object.keys(issues).length === 0
  const send = (sent: Edits): void => {
    if (Object.keys(sent).length > 0 && !save.isPending) save.mutate(sent)
  }
  return {
    file,
    project,
    valueOf: (name) => (name in edits ? edits[name]?.value : fields[name]),
    set: (name, value) => setEdits((current) => withEdit(fields, current, name, value)),
    issueOf: (name) => issues[name] ?? null,
    serverIssueOf: (name) => fromServer[name] ?? null,
    editedNames: Object.keys(edits),
    conflicts,
    theirs: fields,
    isResolving: isResolving && conflicts.length > 0,
    askToResolve: setResolving,
    resolve: (choices) => {
      const namesOf = (wanted: Choice): string[] => conflicts.filter((name) => choices[name] === wanted)
      const mine = namesOf('mine')
      const resolved = insistOn(fields, withoutEdits(edits, namesOf('theirs')), mine)
      setResolving(false)
      setEdits(resolved)
      save.reset()
      send(isValid ? resolved : onlyEdits(resolved, mine))
    },
    discard: () => {
      save.reset()
      setEdits({})
    },
    save: () => {
      if (conflicts.length > 0) setResolving(true)
      else if (isValid) send(edits)
    },
    saveField: (name, value, base = fields[name]) => {
      const started = { ...fields, [name]: base }
      setEdits((current) => withEdit(started, current, name, value))
      send(withEdit(started, {}, name, value))
    },
    isSaving: save.isPending,
    isValid,
    // A dialog shows the conflict.
    error: save.error instanceof EditConflict ? null : save.error,
  }
}
