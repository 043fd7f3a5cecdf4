import { Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useProjectChoices } from '../projects/all-projects.ts'
import { zoetrope } from '../shell/api.ts'
import { useTexts } from '../shell/texts.ts'
import { RecordSaveBar } from '../ui/forms/record/record-save-bar.tsx'
import { useRecordForm } from '../ui/forms/record/use-record-form.ts'
import { ReleaseSelect } from '../ui/release-status.tsx'
import { Section } from '../ui/section.tsx'
import { playlistQuery, type Playlist } from './playlist-queries.ts'
import { reloadPlaylists, storePlaylist } from './use-playlist-change.ts'

type Settings = Pick<Playlist, 'Name' | 'Description' | 'ProjectId' | 'ReleaseStatus'>

const settingsOf = ({ Name, Description, ProjectId, ReleaseStatus }: Playlist): Settings => ({
  ...{ Name, Description, ProjectId, ReleaseStatus },
})

export const PlaylistSettings = ({
  playlist,
  mayPublish,
}: {
  readonly playlist: Playlist
  readonly mayPublish: boolean
}) => {
  const t = useTexts('playlists.playlist')
  const statusNames = useTexts('ui.releaseStatus')
  const client = useQueryClient()
  const projects = useProjectChoices()
  const form = useRecordForm({
    record: playlist,
    valuesOf: settingsOf,
    reload: () => client.fetchQuery({ ...playlistQuery(playlist.Id), staleTime: 0 }),
    update: ({ changed }, options) => zoetrope.playlists.update(playlist.Id, changed, options),
    store: async (saved) => {
      await storePlaylist(client, saved)
      void reloadPlaylists(client, saved)
    },
  })
  const projectOf = (id: number | null): string | null => (id === null ? null : String(id))
  const labels: Readonly<Record<string, string>> = {
    Name: t('name'),
    Description: t('description'),
    ProjectId: t('project'),
    ReleaseStatus: statusNames('label'),
  }
  const renderValue = (name: string, value: unknown): string => {
    if (name === 'ReleaseStatus') return statusNames(value as Settings['ReleaseStatus'])
    if (name !== 'ProjectId') return String(value)
    return projects.find((one) => one.value === String(value))?.label ?? String(value)
  }
  return (
    <Section title={t('settings')}>
      <form onSubmit={form.submit}>
        <Stack>
          <TextInput label={t('name')} required maxLength={255} {...form.getInputProps('Name')} />
          <Textarea
            label={t('description')}
            autosize
            minRows={2}
            maxRows={10}
            maxLength={10_000}
            {...form.getInputProps('Description')}
          />
          <ReleaseSelect
            disabled={!mayPublish}
            description={mayPublish ? undefined : t('publishRight')}
            {...form.getInputProps('ReleaseStatus')}
            value={form.values.ReleaseStatus}
          />
          <Select
            label={t('project')}
            clearable
            searchable
            placeholder={t('anyProject')}
            data={projects}
            {...form.getInputProps('ProjectId')}
            value={projectOf(form.values.ProjectId)}
            onChange={(id) => form.setFieldValue('ProjectId', id === null ? null : Number(id))}
          />
          <RecordSaveBar
            form={form}
            section="tab"
            labelOf={(name) => labels[name] ?? name}
            renderValue={renderValue}
          />
        </Stack>
      </form>
    </Section>
  )
}
