import { Menu, Skeleton, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { SectionTabs } from '../ui/layout/section-tabs.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { ReleaseBadge } from '../ui/release-status.tsx'
import { Screen } from '../ui/screen.tsx'
import '../ui/styles/split.css'
import { useToasts } from '../ui/toasts.tsx'
import { AddVideos } from './add-videos.tsx'
import { ManualVideos } from './manual-videos.tsx'
import { PlaylistAddresses } from './playlist-addresses.tsx'
import { PlaylistPreview } from './playlist-preview.tsx'
import { playlistPlayoutQuery, playlistQuery, type Playlist } from './playlist-queries.ts'
import { PlaylistRelease } from './playlist-release.tsx'
import { PlaylistSettings } from './playlist-settings.tsx'
import { PlaylistShare } from './playlist-share.tsx'
import { AutomaticVideos } from './rules/automatic-videos.tsx'

export const PlaylistScreen = () => {
  const t = useTexts('playlists.playlist')
  const { playlistId } = useParams({ from: '/inside/playlists/$playlistId' })
  const { data: playlist, error, refetch } = useQuery(playlistQuery(playlistId))
  // Its links would move what is below.
  const { isPending } = useQuery(playlistPlayoutQuery(playlistId))
  if (playlist !== undefined && !isPending) return <LoadedPlaylist key={playlist.Id} playlist={playlist} />
  return (
    <Screen title={t('title')} crumbs={[{ label: t('back'), to: '/playlists' }]}>
      {error === null ? <Skeleton h={320} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
    </Screen>
  )
}

const LoadedPlaylist = ({ playlist }: { readonly playlist: Playlist }) => {
  const t = useTexts('playlists.playlist')
  const can = useCan(playlist.ProjectId ?? undefined)
  const remove = useRemove(playlist)
  const mayWrite = can('playlists:write')
  return (
    <Screen
      title={playlist.Name}
      crumbs={[{ label: t('back'), to: '/playlists' }]}
      status={<ReleaseBadge ReleaseStatus={playlist.ReleaseStatus} />}
      actions={mayWrite && can('files:publish') && <PlaylistRelease playlist={playlist} />}
      menu={
        mayWrite && (
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => remove.mutate()}
          >
            {t('delete')}
          </Menu.Item>
        )
      }
    >
      <ProblemAlert error={remove.error} />
      <div className="split">
        <Stack className="split-aside" gap="sm">
          <PlaylistPreview playlist={playlist} />
          <PlaylistShare playlist={playlist} />
        </Stack>
        <Sections playlist={playlist} mayWrite={mayWrite} mayPublish={can('files:publish')} />
      </div>
    </Screen>
  )
}

const Sections = ({
  playlist,
  mayWrite,
  mayPublish,
}: {
  readonly playlist: Playlist
  readonly mayWrite: boolean
  readonly mayPublish: boolean
}) => {
  const t = useTexts('playlists.playlist')
  const [address, go] = useAddress()
  const panels: Readonly<Record<string, ReactNode>> = {
    videos:
      playlist.Type === 'automatic' ? (
        <AutomaticVideos playlist={playlist} mayWrite={mayWrite} />
      ) : (
        <Stack>
          <ManualVideos playlist={playlist} mayWrite={mayWrite} />
          {mayWrite && <AddVideos playlist={playlist} />}
        </Stack>
      ),
    ...(mayWrite && { settings: <PlaylistSettings playlist={playlist} mayPublish={mayPublish} /> }),
    delivery: <PlaylistAddresses playlist={playlist} />,
  }
  const sections = (['videos', 'settings', 'delivery'] as const).filter((name) => name in panels)
  return (
    <SectionTabs
      label={t('sections')}
      sections={sections.map((name) => ({ name, title: t(name), panel: panels[name] }))}
      open={sections.find((name) => name === address['tab']) ?? 'videos'}
      onOpen={(name) => go({ tab: name === 'videos' ? undefined : name })}
    />
  )
}

const useRemove = ({ Id, Name }: Playlist) => {
  const t = useTexts('playlists.playlist')
  const client = useQueryClient()
  const navigate = useNavigate()
  const { undoable } = useToasts()
  return useMutation({
    mutationFn: () => zoetrope.playlists.delete(Id),
    onSuccess: async () => {
      undoable(t('deleted', { name: Name }), async () => {
        await zoetrope.playlists.restore(Id)
        await client.invalidateQueries({ queryKey: queryKeys.playlists })
        await navigate({ to: '/playlists/$playlistId', params: { playlistId: Id } })
      })
      await navigate({ to: '/playlists', ignoreBlocker: true })
      client.removeQueries({ queryKey: queryKeys.playlist(Id) })
      await client.invalidateQueries({ queryKey: [...queryKeys.playlists, 'list'] })
    },
  })
}
