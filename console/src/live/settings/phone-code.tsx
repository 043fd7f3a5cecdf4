import { Button, Group, Stack, Text } from '@mantine/core'
import { IconQrcode } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { QrCode } from '../../ui/embed/qr-code.tsx'
import '../live.css'

/** Hidden at first, because the code contains the stream key. */
export const PhoneCode = ({ link }: { readonly link: string }) => {
  const t = useTexts('live.phone')
  const [isShown, setShown] = useState(false)
  return (
    <Stack gap="sm">
      <Group>
        <Button
          variant="default"
          leftSection={<IconQrcode size={16} aria-hidden />}
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          {t(isShown ? 'hide' : 'show')}
        </Button>
      </Group>
      {isShown && (
        <div className="live-code">
          <QrCode text={link} label={t('code')} />
          <Stack gap="xs" flex={1} miw={180}>
            <Text size="sm">{t('scan')}</Text>
            <Text size="sm" c="dimmed">
              {t('secret')}
            </Text>
            <Group>
              <Button component="a" variant="default" href={link}>
                {t('open')}
              </Button>
            </Group>
          </Stack>
        </div>
      )}
    </Stack>
  )
}
