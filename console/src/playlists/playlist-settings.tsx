import { Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import { useProjectChoices } from '../projects/all-projects.ts'
import { useTexts } from '../shell/texts.ts'
import { fieldErrors } from '../ui/forms/field-errors.ts'
import { withoutSent } from '../ui/forms/without-sent.ts'
import { ReleaseSelect, type ReleaseStatus } from '../ui/release-status.tsx'
import { SaveBar } from '../ui/save-bar.tsx'
import { Section } from '../ui/section.tsx'
import { useToasts } from '../ui/toasts.tsx'
import type { Playlist } from './playlist-queries.ts'
import { usePlaylistChange } from './use-playlist-change.ts'

interface Edits {
  readonly Name?: string
  readonly Description?: string
  readonly ProjectId?: number | null
  readonly ReleaseStatus?: ReleaseStatus
}

/** Edits overlay the stored values, so that concurrent changes do not discard them. */
export const PlaylistSettings = ({
  playlist,
  mayPublish,
}: {
  readonly playlist: Playlist
  readonly mayPublish: boolean
}) => {
  const t = useTexts('playlists.playlist')
  const { done } = useToasts()
  const projects = useProjectChoices()
  const [edits, setEdits] = useState<Edits>({})
  const change = usePlaylistChange(playlist)
  const shown = { ...playlist, ...edits }
  const errors = fieldErrors(change.error)
  const isEdited = Object.keys(edits).length > 0
  const edit = (more: Edits): void => setEdits({ ...edits, ...more })
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    change.mutate(edits, {
      onSuccess: () => {
        setEdits((now) => withoutSent(now, edits))
        done(t('saved'))
      },
    })
  }
  return (
    <Section title={t('settings')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('name')}
            required
            maxLength={255}
            value={shown.Name}
            error={errors['Name']}
            onChange={(event) => edit({ Name: event.currentTarget.value })}
          />
          <Textarea
            label={t('description')}
            autosize
            minRows={2}
            maxRows={10}
            maxLength={10_000}
            value={shown.Description}
            error={errors['Description']}
            onChange={(event) => edit({ Description: event.currentTarget.value })}
          />
          <ReleaseSelect
            value={shown.ReleaseStatus}
            disabled={!mayPublish}
            description={mayPublish ? undefined : t('publishRight')}
            error={errors['ReleaseStatus']}
            onChange={(ReleaseStatus) => edit({ ReleaseStatus })}
          />
          <Select
            label={t('project')}
            clearable
            searchable
            placeholder={t('anyProject')}
            value={shown.ProjectId === null ? null : String(shown.ProjectId)}
            error={errors['ProjectId']}
            data={projects}
            onChange={(id) => edit({ ProjectId: id === null ? null : Number(id) })}
          />
          <SaveBar
            isDirty={isEdited}
            isSaving={change.isPending}
            problem={change.error}
            onDiscard={() => {
              setEdits({})
              change.reset()
            }}
          />
        </Stack>
      </form>
    </Section>
  )
}
