import { Center, Loader, Stack, Text } from '@mantine/core'
import { defineWords } from './words.ts'

const useWords = defineWords('starting', {
  en: { waiting: 'Waiting for the server …' },
  de: { waiting: 'Der Server wird erreicht …' },
})

/** Shown until the server has returned the session. The server may still be starting. */
export const StartingScreen = () => {
  const t = useWords()
  return (
    <Center component="main" mih="100vh">
      <Stack align="center">
        <Loader />
        <Text role="status">{t('waiting')}</Text>
      </Stack>
    </Center>
  )
}
