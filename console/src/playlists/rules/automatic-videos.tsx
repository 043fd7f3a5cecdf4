import { Alert, Button, Group, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { fieldErrors } from '../../ui/forms/field-errors.ts'
import { UnsavedChanges } from '../../ui/forms/unsaved-changes.tsx'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { FoundVideos } from './found-videos.tsx'
import type { Playlist, Rules } from '../playlist-queries.ts'
import { isComplete } from './rule-fields.ts'
import { RulesEditor } from './rules-editor.tsx'
import { usePlaylistChange } from '../use-playlist-change.ts'

const everything: Rules = { Match: 'all', Conditions: [], OrderBy: 'created', Sort: 'desc', Limit: 1_000 }

/** The rules and their matches. Unsaved rules are previewed without being stored. */
export const AutomaticVideos = ({
  playlist,
  mayWrite,
}: {
  readonly playlist: Playlist
  readonly mayWrite: boolean
}) => {
  const t = useTexts('playlists.rules')
  const [draft, setDraft] = useState<Rules | null>(null)
  const change = usePlaylistChange(playlist)
  const rules = draft ?? playlist.Rules ?? everything
  const [asked] = useDebouncedValue(
    JSON.stringify({ ...rules, Conditions: rules.Conditions.filter((one) => isComplete(one)) }),
    300,
  )
  const preview = useQuery({
    queryKey: [...queryKeys.playlists, 'preview', playlist.ProjectId, asked],
    queryFn: ({ signal }) =>
      zoetrope.playlists.preview(
        { ProjectId: playlist.ProjectId, Rules: JSON.parse(asked) as Rules },
        { signal },
      ),
    enabled: draft !== null,
    placeholderData: keepPreviousData,
  })
  const found = draft === null ? playlist : preview.data
  const error = change.error ?? (draft === null ? null : preview.error)
  return (
    <Stack>
      <UnsavedChanges isDirty={draft !== null} section="tab" />
      {mayWrite && (
        <Section title={t('rules')}>
          <RulesEditor rules={rules} errors={fieldErrors(change.error)} onChange={setDraft} />
          <ProblemAlert error={error} />
          <Group>
            <Button
              disabled={draft === null}
              loading={change.isPending}
              onClick={() =>
                change.mutate(
                  { Rules: rules },
                  { onSuccess: () => setDraft((now) => (now === draft ? null : now)) },
                )
              }
            >
              {t('save')}
            </Button>
            {draft !== null && (
              <Button
                variant="default"
                onClick={() => {
                  setDraft(null)
                  change.reset()
                }}
              >
                {t('discard')}
              </Button>
            )}
          </Group>
        </Section>
      )}
      <Section title={draft === null ? t('videos') : t('found')}>
        {draft !== null && <Alert variant="outline">{t('notSaved')}</Alert>}
        {found !== undefined && <FoundVideos found={found} />}
      </Section>
    </Stack>
  )
}
