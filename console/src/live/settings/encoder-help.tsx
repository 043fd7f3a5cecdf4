import { List, Text } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Disclosure } from '../../ui/forms/disclosure.tsx'
import { Section } from '../../ui/section.tsx'
import type { LiveIngest } from '../live-queries.ts'

const testPicture = `ffmpeg -re -f lavfi -i testsrc2=size=1280x720:rate=30 -f lavfi -i sine=frequency=440 \\
  -c:v libx264 -preset veryfast -tune zerolatency -g 60 -b:v 2500k -pix_fmt yuv420p -c:a aac`

/**
 * Instructions with the values of this stream. Commands do not contain the key, because shells store their
 * history.
 */
export const EncoderHelp = ({
  ingest: { ProjectId, StreamInType, StreamInConnection },
}: {
  readonly ingest: LiveIngest
}) => {
  const t = useTexts('live.help')
  const { ServerURI } = StreamInConnection
  const [isOpen, setOpen] = useState(false)
  return (
    <Section title={t('title')}>
      <Text size="sm">{t('obs')}</Text>
      <List type="ordered" size="sm" spacing={4}>
        <List.Item>{t(StreamInType === 'srt' ? 'streamSrt' : 'stream')}</List.Item>
        <List.Item>{t('output')}</List.Item>
        <List.Item>{t('audio')}</List.Item>
        <List.Item>{t('start')}</List.Item>
      </List>
      {ServerURI !== null && (
        <Disclosure label={t('without')} isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
          <Text size="sm">{t('test')}</Text>
          <CodeBlock code={`./zoetrope live test --project ${ProjectId}`} />
          <Text size="sm">{t('ffmpeg')}</Text>
          <CodeBlock code={`${testPicture} \\\n  -f flv "${ServerURI}/$KEY"`} />
        </Disclosure>
      )}
    </Section>
  )
}
