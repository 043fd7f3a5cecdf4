import { Grid, Stack, Text } from '@mantine/core'
import { metaOf } from '@zoetrope/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { fieldErrors } from '../../ui/forms/field-errors.ts'
import { withoutSent } from '../../ui/forms/without-sent.ts'
import { SaveBar } from '../../ui/save-bar.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { ingestQuery, type IngestChange, type LiveIngest } from '../live-queries.ts'
import { IncomingFields, StreamFields, ViewerFields } from './settings-fields.tsx'

/**
 * The settings of `PUT live/ingest`. Edits overlay the stored values, so that concurrent changes do not
 * discard them.
 */
export const SettingsPart = ({
  ingest,
  mayWrite,
}: {
  readonly ingest: LiveIngest
  readonly mayWrite: boolean
}) => {
  const t = useTexts('live.settings')
  const { done } = useToasts()
  const client = useQueryClient()
  const [edits, setEdits] = useState<IngestChange>({})
  const { ProjectId } = ingest
  const save = useMutation({
    mutationFn: (sent: IngestChange) => {
      const etag = metaOf(ingest)?.etag
      return zoetrope.live.updateIngest(ProjectId, sent, etag == null ? {} : { ifMatch: etag })
    },
    onSuccess: async (changed, sent) => {
      setEdits((now) => withoutSent(now, sent))
      done(t('saved'))
      client.setQueryData(ingestQuery(ProjectId).queryKey, changed)
      await client.invalidateQueries({ queryKey: queryKeys.live(ProjectId) })
    },
    onError: () => client.invalidateQueries({ queryKey: ingestQuery(ProjectId).queryKey }),
  })
  const edit = (more: IngestChange): void => setEdits({ ...edits, ...more })
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    save.mutate(edits)
  }
  const isEdited = Object.keys(edits).length > 0
  const shown = { ...ingest, ...edits } as LiveIngest
  const form = { shown, edit, errors: fieldErrors(save.error) }
  return (
    <form onSubmit={submit}>
      <Stack>
        {!mayWrite && <Text>{t('readOnly')}</Text>}
        <Grid>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Stack>
              <StreamFields {...form} mayWrite={mayWrite} />
              <IncomingFields {...form} mayWrite={mayWrite} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <ViewerFields {...form} mayWrite={mayWrite} />
          </Grid.Col>
        </Grid>
        <Text size="sm" role="status">
          {t(ingest.IsSynced ? 'synced' : 'notSynced')}
        </Text>
        <SaveBar
          isDirty={mayWrite && isEdited}
          isSaving={save.isPending}
          problem={save.error}
          onDiscard={() => {
            setEdits({})
            save.reset()
          }}
        />
      </Stack>
    </form>
  )
}
