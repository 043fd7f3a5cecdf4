import { Button, Grid, Group, Stack } from '@mantine/core'
import { IconArrowLeft, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { ReleaseBadge } from '../ui/release-status.tsx'
import { Screen } from '../ui/screen.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { AddVideos } from './add-videos.tsx'
import { AutomaticVideos } from './rules/automatic-videos.tsx'
import { ManualVideos } from './manual-videos.tsx'
import { PlaylistAddresses } from './playlist-addresses.tsx'
import { PlaylistPreview } from './playlist-preview.tsx'
import { playlistQuery, type Playlist } from './playlist-queries.ts'
import { PlaylistSettings } from './playlist-settings.tsx'

export const PlaylistScreen = () => {
  const t = useTexts('playlists.playlist')
  const { playlistId } = useParams({ from: '/inside/playlists/$playlistId' })
  const { data: playlist, error, refetch } = useQuery(playlistQuery(playlistId))
  return (
    <Screen
      title={playlist?.Name ?? t('title')}
      actions={
        playlist !== undefined && (
          <>
            <ReleaseBadge status={playlist.ReleaseStatus} />
            <DeleteButton playlist={playlist} />
          </>
        )
      }
    >
      <Group>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={14} aria-hidden />}
          renderRoot={(props) => <Link {...props} to="/playlists" />}
        >
          {t('back')}
        </Button>
      </Group>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {playlist !== undefined && <Parts key={playlist.Id} playlist={playlist} />}
    </Screen>
  )
}

const Parts = ({ playlist }: { readonly playlist: Playlist }) => {
  const can = useCan(playlist.ProjectId ?? undefined)
  const mayWrite = can('playlists:write')
  return (
    <Grid>
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack>
          {playlist.Type === 'automatic' ? (
            <AutomaticVideos playlist={playlist} mayWrite={mayWrite} />
          ) : (
            <>
              <ManualVideos playlist={playlist} mayWrite={mayWrite} />
              {mayWrite && <AddVideos playlist={playlist} />}
            </>
          )}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack>
          <PlaylistPreview playlist={playlist} />
          {mayWrite && <PlaylistSettings playlist={playlist} mayPublish={can('files:publish')} />}
          <PlaylistAddresses playlist={playlist} />
        </Stack>
      </Grid.Col>
    </Grid>
  )
}

const DeleteButton = ({ playlist: { Id, Name, ProjectId } }: { readonly playlist: Playlist }) => {
  const t = useTexts('playlists.playlist')
  const can = useCan(ProjectId ?? undefined)
  const client = useQueryClient()
  const navigate = useNavigate()
  const { undoable } = useToasts()
  const reload = () => client.invalidateQueries({ queryKey: [...queryKeys.playlists, 'list'] })
  const remove = useMutation({
    mutationFn: () => zoetrope.playlists.delete(Id),
    onSuccess: async () => {
      undoable(t('deleted', { name: Name }), async () => {
        await zoetrope.playlists.restore(Id)
        await navigate({ to: '/playlists/$playlistId', params: { playlistId: Id } })
      })
      await navigate({ to: '/playlists' })
      client.removeQueries({ queryKey: queryKeys.playlist(Id) })
      await reload()
    },
  })
  if (!can('playlists:write')) return null
  return (
    <>
      <ProblemAlert error={remove.error} />
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {t('delete')}
      </Button>
    </>
  )
}
