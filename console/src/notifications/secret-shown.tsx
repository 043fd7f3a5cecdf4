import { Stack, Text } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { CopyField } from '../ui/copy-field.tsx'

export const SecretShown = ({ secret }: { readonly secret: string }) => {
  const t = useTexts('notifications.secretShown')
  return (
    <Stack gap="xs">
      <Text>{t('once')}</Text>
      <CopyField label={t('secret')} value={secret} ff="monospace" />
    </Stack>
  )
}
