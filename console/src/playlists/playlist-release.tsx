import { Button } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import type { Playlist } from './playlist-queries.ts'
import { usePlaylistChange } from './use-playlist-change.ts'

export const PlaylistRelease = ({ playlist }: { readonly playlist: Playlist }) => {
  const t = useTexts('playlists.playlist')
  const change = usePlaylistChange(playlist)
  const isPublished = playlist.ReleaseStatus === 'published'
  return (
    <>
      <ProblemAlert error={change.error} />
      <Button
        variant={isPublished ? 'default' : 'filled'}
        loading={change.isPending}
        onClick={() => change.mutate({ ReleaseStatus: isPublished ? 'unpublished' : 'published' })}
      >
        {t(isPublished ? 'unpublish' : 'publish')}
      </Button>
    </>
  )
}
