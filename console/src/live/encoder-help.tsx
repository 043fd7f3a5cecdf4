import { List, Text } from '@mantine/core'
import { defineWords } from '../shell/words.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { Section } from '../ui/section.tsx'
import type { LiveIngest } from './live-queries.ts'

const useWords = defineWords('live-help', {
  en: {
    title: 'Go live',
    obs: 'With OBS Studio:',
    stream: 'Settings → Stream: service “Custom…”, server and stream key as they stand here.',
    streamSrt: 'Settings → Stream: service “Custom…”, the SRT address as server, and the passphrase.',
    output: 'Settings → Output, mode “Advanced”: H.264, rate control CBR, key frame interval 2 s.',
    audio: 'Settings → Audio: 48 kHz.',
    start: 'Start Streaming. The picture is here after some two seconds.',
    test: 'Without an encoder: a test pattern with a clock and a tone, from the server itself,',
    ffmpeg: 'or from any computer with ffmpeg, with the stream key as $KEY:',
  },
  de: {
    title: 'Auf Sendung gehen',
    obs: 'Mit OBS Studio:',
    stream: 'Einstellungen → Stream: Plattform „Benutzerdefiniert…“, Server und Streamschlüssel wie hier.',
    streamSrt:
      'Einstellungen → Stream: Plattform „Benutzerdefiniert…“, die SRT-Adresse als Server, und die Passphrase.',
    output:
      'Einstellungen → Ausgabe, Modus „Erweitert“: H.264, Qualitätsregulierung CBR, Keyframe-Intervall 2 s.',
    audio: 'Einstellungen → Audio: 48 kHz.',
    start: 'Stream starten. Nach etwa zwei Sekunden ist das Bild hier.',
    test: 'Ohne Encoder: ein Testbild mit Uhr und Ton, vom Server selbst,',
    ffmpeg: 'oder von einem beliebigen Rechner mit ffmpeg, mit dem Streamschlüssel als $KEY:',
  },
})

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
  const t = useWords()
  const { ServerURI } = StreamInConnection
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
        <>
          <Text size="sm">{t('test')}</Text>
          <CodeBlock code={`./zoetrope live test --project ${ProjectId}`} />
          <Text size="sm">{t('ffmpeg')}</Text>
          <CodeBlock code={`${testPicture} \\\n  -f flv "${ServerURI}/$KEY"`} />
        </>
      )}
    </Section>
  )
}
