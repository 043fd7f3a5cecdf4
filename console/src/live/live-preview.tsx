import { AspectRatio } from '@mantine/core'
import { useState } from 'react'
import { ownUrl } from '../ui/own-url.ts'
import { Section } from '../ui/section.tsx'
import type { LiveOutput } from './live-queries.ts'
import { useLiveWords } from './live-words.ts'

/** The player that viewers get, by a link that shows drafts too. */
export const LivePreview = ({ output }: { readonly output: LiveOutput }) => {
  const t = useLiveWords()
  // Links change by the hour: what plays goes on playing. In a room with a show a second sound would disturb.
  const [uri] = useState(() => `${ownUrl(output.Preview.PlayerURL)}?muted=1`)
  return (
    <Section title={t('preview')}>
      <AspectRatio ratio={16 / 9}>
        {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, which needs our origin for what it plays */}
        <iframe
          src={uri}
          title={t('previewLabel')}
          allow="autoplay; fullscreen; picture-in-picture"
          style={{ border: 0 }}
        />
      </AspectRatio>
    </Section>
  )
}
