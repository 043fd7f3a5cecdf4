import { Grid, Stack, Text } from '@mantine/core'
import { defineWords } from '../shell/words.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { formatTime } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import type { LiveOutput } from './live-queries.ts'

const useWords = defineWords('live-embed', {
  en: {
    code: 'Embed code',
    codeExplained:
      'It goes into your page and may stay there for years: the player begins with each broadcast.',
    iFrame: 'For pages:',
    script: 'For pages that take scripts only:',
    addresses: 'Addresses',
    page: 'Page with the player',
    picture: 'Picture',
    lowLatency: 'HLS with low latency',
    preview: 'Links for you',
    previewExplained: 'They work until {{time}}, whether the stream is published or not.',
  },
  de: {
    code: 'Einbettungscode',
    codeExplained:
      'Er gehört in Ihre Seite und kann dort Jahre bleiben: Der Player beginnt mit jeder Übertragung.',
    iFrame: 'Für Seiten:',
    script: 'Für Seiten, die nur Skripte zulassen:',
    addresses: 'Adressen',
    page: 'Seite mit dem Player',
    picture: 'Bild',
    lowLatency: 'HLS mit niedriger Latenz',
    preview: 'Links für Sie',
    previewExplained: 'Sie gelten bis {{time}}, ob der Stream veröffentlicht ist oder nicht.',
  },
})

export const EmbedPart = ({ output }: { readonly output: LiveOutput }) => {
  const t = useWords()
  const { EmbedCodes, Preview } = output
  return (
    <Grid>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Stack>
          <Section title={t('code')}>
            <Text size="sm">{t('codeExplained')}</Text>
            <Text size="sm">{t('iFrame')}</Text>
            <CodeBlock code={EmbedCodes.iFrame} />
            <Text size="sm">{t('script')}</Text>
            <CodeBlock code={EmbedCodes.JavaScript} />
          </Section>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Stack>
          <Section title={t('addresses')}>
            <CopyField label={t('page')} value={EmbedCodes.PlayerURL} />
            {output.LLHLS !== null && <CopyField label={t('lowLatency')} value={output.LLHLS} />}
            <CopyField label="HLS" value={output.HLS} />
            <CopyField label="DASH" value={output.DASH} />
            <CopyField label={t('picture')} value={output.PictureURI} />
          </Section>
          <Section title={t('preview')}>
            <Text size="sm">{t('previewExplained', { time: formatTime(Preview.ExpiresAt) })}</Text>
            <CopyField label={t('page')} value={Preview.PlayerURL} />
            <CopyField label="HLS" value={Preview.HLS} />
          </Section>
        </Stack>
      </Grid.Col>
    </Grid>
  )
}
