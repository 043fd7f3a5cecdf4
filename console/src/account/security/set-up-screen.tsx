import { Button, Center, Group, Stack, Text, Title } from '@mantine/core'
import { useSignOut } from '../../shell/sign-in/sign-out.tsx'
import { useTexts } from '../../shell/texts.ts'
import { FactorSections } from './factor-sections.tsx'

/** All that a member sees whose account requires a second factor, until there is one. */
export const SetUpScreen = ({ onDone }: { readonly onDone: () => void }) => {
  const t = useTexts('account.setUpFactor')
  const { signOut, question } = useSignOut()
  return (
    <Center component="main" mih="100vh" p="md">
      {question}
      <Stack w="100%" maw={640}>
        <Group justify="space-between">
          <Title order={1} size="h2">
            {t('title')}
          </Title>
          <Button variant="subtle" onClick={() => void signOut()}>
            {t('signOut')}
          </Button>
        </Group>
        <Text>{t('explained')}</Text>
        <FactorSections onProtected={onDone} />
      </Stack>
    </Center>
  )
}
