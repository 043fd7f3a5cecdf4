import { Text, Title } from '@mantine/core'
import { zoetrope } from '../shell/api.ts'
import { useTexts } from '../shell/texts.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { embedCode } from '../ui/embed/embed-code.ts'
import { Section } from '../ui/section.tsx'
import { SignedLinks } from '../ui/embed/signed-links.tsx'
import type { Playlist } from './playlist-queries.ts'

type SignedPlaylist = Awaited<ReturnType<typeof zoetrope.playlists.signPlayout>>

const LinksOfViewer = ({ links, name }: { readonly links: SignedPlaylist; readonly name: string }) => {
  const t = useTexts('playlists.playlist')
  return (
    <>
      {links.EmbedURI !== null && (
        <>
          <CopyField label={t('embedCode')} value={embedCode(links.EmbedURI, name)} />
          <CopyField label={t('page')} value={links.EmbedURI} />
        </>
      )}
      {links.HLS !== null && <CopyField label="HLS" value={links.HLS} />}
      <CopyField label={t('jsonFeed')} value={links.FeedURIs.JSON} />
      <CopyField label={t('mrss')} value={links.FeedURIs.MRSS} />
    </>
  )
}

export const PlaylistAddresses = ({ playlist }: { readonly playlist: Playlist }) => {
  const t = useTexts('playlists.playlist')
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
      {playout?.HLS != null && (
        <>
          <Title order={3} size="h5">
            {t('signedLinks')}
          </Title>
          <SignedLinks
            sign={(options) => zoetrope.playlists.signPlayout(playlist.Id, options)}
            revoke={(tokenId) => zoetrope.playlists.revokeToken(playlist.Id, tokenId)}
          >
            {(links) => <LinksOfViewer links={links} name={playlist.Name} />}
          </SignedLinks>
        </>
      )}
    </Section>
  )
}
