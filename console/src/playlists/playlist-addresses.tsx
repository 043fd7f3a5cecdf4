import { Text } from '@mantine/core'
import { CopyField } from '../ui/copy-field.tsx'
import { embedCode } from '../ui/embed-code.ts'
import { Section } from '../ui/section.tsx'
import type { Playlist } from './playlist-queries.ts'
import { usePlaylistWords } from './playlist-words.ts'

/** Where viewers and other programs find it. */
export const PlaylistAddresses = ({ playlist }: { readonly playlist: Playlist }) => {
  const t = usePlaylistWords()
  const playout = playlist.Playouts[0]
  return (
    <Section title={t('addresses')}>
      {playlist.ReleaseStatus !== 'published' && <Text size="sm">{t('notYetPublic')}</Text>}
      {playout?.EmbedURI != null && (
        <>
          <CopyField label={t('embedCode')} value={embedCode(playout.EmbedURI, playlist.Name)} />
          <CopyField label={t('page')} value={playout.EmbedURI} />
        </>
      )}
      {playout?.HLS != null && <CopyField label="HLS" value={playout.HLS} />}
      <CopyField label={t('jsonFeed')} value={playlist.FeedURIs.JSON} />
      <CopyField label={t('mrss')} value={playlist.FeedURIs.MRSS} />
    </Section>
  )
}
