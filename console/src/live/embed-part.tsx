import { Grid, Stack, Text } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { formatTime } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import type { LiveOutput } from './live-queries.ts'

export const EmbedPart = ({ output }: { readonly output: LiveOutput }) => {
  const t = useTexts('live.embed')
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
