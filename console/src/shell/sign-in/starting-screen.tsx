import { Center, Loader, Stack, Text } from '@mantine/core'
import { useTexts } from '../texts.ts'

/** Shown until the server has returned the session. The server may still be starting. */
export const StartingScreen = () => {
  const t = useTexts('shell.starting')
  return (
    <Center component="main" mih="100vh">
      <Stack align="center">
        <Loader />
        <Text role="status">{t('waiting')}</Text>
      </Stack>
    </Center>
  )
}
