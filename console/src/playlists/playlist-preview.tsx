import { AspectRatio, Center, Stack, Text } from '@mantine/core'
import { IconPlaylist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../shell/texts.ts'
import { ownUrl } from '../ui/embed/own-url.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import './playlist.css'
import { playlistPlayoutQuery, type Playlist } from './playlist-queries.ts'

export const PlaylistPreview = ({ playlist }: { readonly playlist: Playlist }) => {
  const t = useTexts('playlists.playlist')
  const { data: playout, error, refetch } = useQuery(playlistPlayoutQuery(playlist.Id))
  const [shown, setShown] = useState<string | null>(null)
  const uri = playout?.Preview.EmbedURI
  // Signed links change hourly: a new link must not interrupt playback. A changed playlist reloads the
  // player.
  const list = playlist.Elements.map(({ FileId, IsPlayable }) => (IsPlayable ? FileId : '-')).join()
  const [shownList, setShownList] = useState(list)
  if (uri != null && (shown === null || list !== shownList)) {
    setShown(ownUrl(uri))
    setShownList(list)
  }
  return (
    <>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      <AspectRatio ratio={16 / 9}>
        {shown === null || !playlist.Elements.some(({ IsPlayable }) => IsPlayable) ? (
          <Center className="playlist-no-player">
            <Stack align="center" gap="xs" p="md">
              <IconPlaylist size={40} aria-hidden />
              <Text size="sm" ta="center">
                {t('nothingToPlay')}
              </Text>
            </Stack>
          </Center>
        ) : (
          // oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, which needs our origin for what it plays
          <iframe
            key={shownList}
            src={shown}
            title={t('previewLabel', { name: playlist.Name })}
            allow="fullscreen; picture-in-picture"
            className="playlist-player"
          />
        )}
      </AspectRatio>
    </>
  )
}
