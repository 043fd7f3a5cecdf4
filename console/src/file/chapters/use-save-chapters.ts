import { metaOf, StaleRecordError, type MediaFile } from '@zoetrope/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import type { ConflictForm } from '../../ui/forms/record/conflict-dialog.tsx'
import { loadCaption } from '../captions/load-caption.ts'
import { webVttOf, type ChapterRow } from './chapter-rows.ts'
import { draftOf, type ChaptersDraft } from './chapters-draft.ts'

type Change = (now: ChaptersDraft | null) => ChaptersDraft | null

/** Saves a draft of chapters. If another user has changed them meanwhile, `conflict` asks which to keep. */
export const useSaveChapters = ({
  file,
  draft,
  onChange,
  onSaved,
}: {
  readonly file: MediaFile
  readonly draft: ChaptersDraft
  readonly onChange: (change: Change) => void
  readonly onSaved: () => void
}) => {
  const queryClient = useQueryClient()
  const [theirs, setTheirs] = useState<ChaptersDraft | null>(null)
  const { record, language, rows } = draft
  const saving = useMutation({
    mutationFn: ({ base, sent }: { base: typeof record; sent: readonly ChapterRow[] }) => {
      const Content = webVttOf(sent, file.Properties?.Length ?? null)
      if (base === null)
        return zoetrope.captions.create(file.ProjectId, file.Id, {
          ...{ Language: language.trim(), Kind: 'chapters', Content },
        })
      const etag = metaOf(base)?.etag
      const options = etag == null ? {} : { ifMatch: etag }
      return zoetrope.captions.update(file.ProjectId, file.Id, base.Id, { Content }, options)
    },
    onSuccess: async (saved, { sent }) => {
      // Input during the save is unsaved, but kept.
      onChange((now) => now && { ...now, record: saved, language: saved.Language, before: sent })
      onSaved()
      await queryClient.invalidateQueries({ queryKey: queryKeys.file(file.ProjectId, file.Id) })
    },
    onError: async (error, { base }) => {
      if (!(error instanceof StaleRecordError) || base === null) return
      const { record: latest, text } = await loadCaption(queryClient, file, base.Id)
      setTheirs(draftOf(latest, text))
    },
  })
  const save = (base = record): void => {
    setTheirs(null)
    saving.mutate({ base, sent: rows })
  }
  const conflict: ConflictForm = {
    isResolving: theirs !== null,
    askToResolve: () => setTheirs(null),
    conflicts: theirs === null ? [] : ['chapters'],
    edits: { chapters: { value: rows, base: draft.before } },
    fields: { chapters: theirs?.rows ?? [] },
    resolve: ({ chapters }) => {
      if (chapters === 'mine') save(theirs?.record)
      else {
        onChange(() => theirs)
        setTheirs(null)
        saving.reset()
      }
    },
  }
  return { save, conflict, isSaving: saving.isPending, error: saving.error }
}
