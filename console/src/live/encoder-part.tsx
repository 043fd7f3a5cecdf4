import { Button, Grid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { defineWords } from '../shell/words.ts'
import { Confirm } from '../ui/confirm.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Section } from '../ui/section.tsx'
import { EncoderHelp } from './encoder-help.tsx'
import { ingestQuery, type LiveIngest } from './live-queries.ts'
import { SecretField } from './secret-field.tsx'

const useWords = defineWords('live-encoder', {
  en: {
    connection: 'What goes into the encoder',
    server: 'Server',
    key: 'Stream key',
    srt: 'SRT address',
    passphrase: 'Passphrase',
    source: 'Source',
    pulled: 'The stream is fetched from there. Nothing has to be set in an encoder.',
    notOffered: 'This server takes no streams of this kind: a setting of its live nodes is missing.',
    reset: 'Reset the key',
    resetTitle: 'Make a new key?',
    resetText:
      'The old stream key and passphrase open nothing any more. An encoder that sends now is cut off, and needs the new ones to come back.',
  },
  de: {
    connection: 'Was in den Encoder gehört',
    server: 'Server',
    key: 'Streamschlüssel',
    srt: 'SRT-Adresse',
    passphrase: 'Passphrase',
    source: 'Quelle',
    pulled: 'Der Stream wird dort abgeholt. In einem Encoder ist nichts einzustellen.',
    notOffered: 'Dieser Server nimmt Streams dieser Art nicht an: Eine Einstellung seiner Live-Knoten fehlt.',
    reset: 'Schlüssel zurücksetzen',
    resetTitle: 'Neuen Schlüssel erzeugen?',
    resetText:
      'Der alte Streamschlüssel und die alte Passphrase öffnen nichts mehr. Ein Encoder, der gerade sendet, wird getrennt und braucht die neuen, um wiederzukommen.',
  },
})

export const EncoderPart = ({
  ingest,
  mayReset,
}: {
  readonly ingest: LiveIngest
  readonly mayReset: boolean
}) => {
  const t = useWords()
  const client = useQueryClient()
  const [isResetting, resetting] = useDisclosure()
  const { ProjectId, StreamInType, StreamInURI, StreamInConnection } = ingest
  const { ServerURI, StreamName, SrtURI, SrtPassphrase } = StreamInConnection
  const isOffered = StreamInType === 'rtmp' ? ServerURI !== null : StreamInType !== 'srt' || SrtURI !== null
  const reset = async (): Promise<void> => {
    client.setQueryData(ingestQuery(ProjectId).queryKey, await zoetrope.live.resetKey(ProjectId))
  }
  return (
    <Grid>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Section
          title={t('connection')}
          actions={
            mayReset &&
            (StreamInType === 'rtmp' || StreamInType === 'srt') && (
              <Button
                variant="default"
                size="compact-md"
                leftSection={<IconRefresh size={16} aria-hidden />}
                onClick={resetting.open}
              >
                {t('reset')}
              </Button>
            )
          }
        >
          <Stack>
            {!isOffered && <Text>{t('notOffered')}</Text>}
            {ServerURI !== null && (
              <>
                <CopyField label={t('server')} value={ServerURI} />
                <SecretField label={t('key')} value={StreamName} />
              </>
            )}
            {SrtURI !== null && (
              <>
                <CopyField label={t('srt')} value={SrtURI} />
                <SecretField label={t('passphrase')} value={SrtPassphrase} />
              </>
            )}
            {StreamInType.endsWith('-pull') && (
              <>
                <Text size="sm">{t('pulled')}</Text>
                <CopyField label={t('source')} value={StreamInURI ?? ''} />
              </>
            )}
          </Stack>
          <Confirm
            isOpen={isResetting}
            onClose={resetting.close}
            title={t('resetTitle')}
            text={t('resetText')}
            action={t('reset')}
            onConfirm={reset}
          />
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <EncoderHelp ingest={ingest} />
      </Grid.Col>
    </Grid>
  )
}
