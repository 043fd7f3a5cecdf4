import { Button, Grid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Section } from '../../ui/section.tsx'
import { EncoderHelp } from './encoder-help.tsx'
import { ingestQuery, type LiveIngest } from '../live-queries.ts'
import { PhoneCode } from './phone-code.tsx'
import { phoneSetup } from './phone-setup.ts'
import { SecretField } from './secret-field.tsx'

export const EncoderPart = ({
  ingest,
  mayReset,
}: {
  readonly ingest: LiveIngest
  readonly mayReset: boolean
}) => {
  const t = useTexts('live.encoder')
  const client = useQueryClient()
  const [isResetting, resetting] = useDisclosure()
  const { ProjectId, StreamInType, StreamInURI, StreamInConnection } = ingest
  const { ServerURI, StreamName, SrtURI, SrtPassphrase } = StreamInConnection
  const phoneLink = phoneSetup(ingest.Title || t('connection'), StreamInConnection)
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
            {phoneLink !== null && <PhoneCode link={phoneLink} />}
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
