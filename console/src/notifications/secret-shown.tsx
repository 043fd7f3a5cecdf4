import { Stack, Text } from '@mantine/core'
import { defineWords } from '../shell/words.ts'
import { CopyField } from '../ui/copy-field.tsx'

const useWords = defineWords('secret-shown', {
  en: {
    secret: 'Secret',
    once: 'It is shown this once: put it where your receiver finds it. It signs each request.',
  },
  de: {
    secret: 'Geheimnis',
    once: 'Es wird nur dieses eine Mal gezeigt: Legen Sie es dort ab, wo Ihr Empfänger es findet. Es signiert jede Anfrage.',
  },
})

export const SecretShown = ({ secret }: { readonly secret: string }) => {
  const t = useWords()
  return (
    <Stack gap="xs">
      <Text>{t('once')}</Text>
      <CopyField label={t('secret')} value={secret} ff="monospace" />
    </Stack>
  )
}
