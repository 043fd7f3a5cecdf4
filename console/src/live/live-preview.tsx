import { AspectRatio } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../shell/texts.ts'
import { ownUrl } from '../ui/embed/own-url.ts'
import type { LiveOutput } from './live-queries.ts'

/** Plays by a preview link, which the server does not count as a viewer. */
export const LivePreview = ({ output }: { readonly output: LiveOutput }) => {
  const t = useTexts('live.screen')
  // Signed links change hourly: a new link must not interrupt playback. Muted, because a second sound would
  // disturb a broadcast in the same room.
  const [uri] = useState(() => `${ownUrl(output.Preview.PlayerURL)}?muted=1`)
  return (
    <AspectRatio ratio={16 / 9}>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, which needs our origin for what it plays */}
      <iframe
        src={uri}
        title={t('previewLabel')}
        allow="autoplay; fullscreen; picture-in-picture"
        className="live-player"
      />
    </AspectRatio>
  )
}
