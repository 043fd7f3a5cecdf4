import { metaOf, StaleRecordError } from '@zoetrope/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../../shell/texts.ts'
import { useToasts } from '../../toasts.tsx'
import {
  afterSave,
  conflictsOf,
  insistOn,
  onlyEdits,
  withEdit,
  withoutEdits,
  type Edits,
  type Fields,
} from './record-edits.ts'

/** A concurrent change of an edited field, which the user must resolve. */
class EditConflict extends Error {}

export type Choice = 'mine' | 'theirs'

/** A busy encode changes the record at most several times a second. */
const maxTries = 5

export interface RecordEdits {
  readonly fields: Fields
  readonly edits: Edits
  readonly set: (name: string, value: unknown) => void
  readonly conflicts: readonly string[]
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
  readonly error: Error | null
}

export interface IfMatch {
  readonly ifMatch?: string
}

export interface RecordAccess<Stored> {
  /** The version of the record. Default: that of the response which contained it. */
  readonly etagOf?: (record: Stored) => string | null | undefined
  readonly reload: () => Promise<Stored>
  /** Sends only the edited fields, or the edited record as a whole, under its ETag. */
  readonly update: (latest: Stored, sent: Edits, options: IfMatch) => Promise<Stored>
  /** Makes the saved record the current one. */
  readonly store: (saved: Stored) => unknown
  readonly onError?: (error: Error) => void
}

/**
 * Keeps edits separate from the record, which may change at any time. Unedited fields follow the record,
 * concurrent changes are never overwritten (If-Match), edits made during a save are kept, and the user
 * resolves conflicts.
 */
export const useRecordEdits = <Stored extends object>(
  record: Stored,
  fieldsOf: (record: Stored) => Fields,
  isValid: (fields: Fields, edits: Edits) => boolean,
  { etagOf = (stored) => metaOf(stored)?.etag, reload, update, store, onError }: RecordAccess<Stored>,
): RecordEdits => {
  const t = useTexts('ui.saveBar')
  const { done } = useToasts()
  const [edits, setEdits] = useState<Edits>({})
  const [isResolving, setResolving] = useState(false)
  const fields = fieldsOf(record)
  const saving = useMutation({
    mutationFn: async (sent: Edits) => {
      let latest = record
      for (let tries = 1; ; tries += 1) {
        if (conflictsOf(fieldsOf(latest), sent).length > 0) throw new EditConflict()
        const etag = etagOf(latest)
        try {
          return await update(latest, sent, etag == null ? {} : { ifMatch: etag })
        } catch (error) {
          if (!(error instanceof StaleRecordError) || tries === maxTries) throw error
          latest = await reload()
        }
      }
    },
    onError: (error) => {
      if (error instanceof EditConflict) setResolving(true)
      else onError?.(error)
    },
    onSuccess: async (saved, sent) => {
      await store(saved)
      setEdits((current) => afterSave(fieldsOf(saved), current, sent))
      done(t('saved'))
    },
  })

  const conflicts = conflictsOf(fields, edits)
  const send = (sent: Edits): void => {
    if (Object.keys(sent).length > 0 && !saving.isPending) saving.mutate(sent)
  }
  return {
    fields,
    edits,
    set: (name, value) => setEdits((current) => withEdit(fields, current, name, value)),
    conflicts,
    isResolving: isResolving && conflicts.length > 0,
    askToResolve: setResolving,
    resolve: (choices) => {
      const namesOf = (wanted: Choice): string[] => conflicts.filter((name) => choices[name] === wanted)
      const mine = namesOf('mine')
      const resolved = insistOn(fields, withoutEdits(edits, namesOf('theirs')), mine)
      setResolving(false)
      setEdits(resolved)
      saving.reset()
      send(isValid(fields, resolved) ? resolved : onlyEdits(resolved, mine))
    },
    discard: () => {
      saving.reset()
      setEdits({})
    },
    save: () => {
      if (conflicts.length > 0) setResolving(true)
      else if (isValid(fields, edits)) send(edits)
    },
    saveField: (name, value, base = fields[name]) => {
      const started = { ...fields, [name]: base }
      setEdits((current) => withEdit(started, current, name, value))
      send(withEdit(started, {}, name, value))
    },
    isSaving: saving.isPending,
    // A dialog shows the conflict.
    error: saving.error instanceof EditConflict ? null : saving.error,
  }
}
