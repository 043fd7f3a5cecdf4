import { Stack, Text } from '@mantine/core'
import { IconCode, IconHash, IconLink } from '@tabler/icons-react'
import { useTexts } from '../shell/texts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { CopyRow } from '../ui/copy-row.tsx'
import { embedCode } from '../ui/embed/embed-code.ts'
import type { Playlist } from './playlist-queries.ts'

export const PlaylistShare = ({ playlist }: { readonly playlist: Playlist }) => {
  const t = useTexts('playlists.share')
  const uri = playlist.Playouts[0]?.EmbedURI ?? null
  return (
    <Stack gap="xs" role="group" aria-label={t('label')}>
      <CopyRow>
        {uri !== null && (
          <>
            <CopyButton isLabelled text={uri} label={t('link')} icon={<IconLink size={16} aria-hidden />} />
            <CopyButton
              isLabelled
              text={embedCode(uri, playlist.Name)}
              label={t('embed')}
              icon={<IconCode size={16} aria-hidden />}
            />
          </>
        )}
        <CopyButton
          isLabelled
          text={String(playlist.Id)}
          label={t('id', { id: playlist.Id })}
          icon={<IconHash size={16} aria-hidden />}
        />
      </CopyRow>
      {playlist.ReleaseStatus !== 'published' && (
        <Text size="sm" c="dimmed">
          {t('notPublished')}
        </Text>
      )}
    </Stack>
  )
}
