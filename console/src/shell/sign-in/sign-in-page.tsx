import { Anchor, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { zoetrope } from '../api.ts'
import { beginSession } from '../session.ts'
import { useTexts } from '../texts.ts'

export const SignInForm = () => {
  const t = useTexts('shell.signIn')
  const { data: isOffered } = useQuery({
    queryKey: ['sign-in-by-provider'],
    queryFn: async ({ signal }): Promise<boolean> => {
      const answer = await fetch('/signin/sso/offered', { signal })
      return answer.ok && ((await answer.json()) as { IsOffered: boolean }).IsOffered
    },
    staleTime: Infinity,
  })
  const form = useSaveForm({
    initialValues: { Email: '', Password: '' },
    save: (credentials) => zoetrope.sessions.signIn(credentials),
    onSaved: beginSession,
  })
  const { saving } = form
  const { Email } = form.values
  return (
    <Center mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <form onSubmit={form.submit}>
          <Stack>
            <Title order={1} size="h2">
              {t('title')}
            </Title>
            <ProblemAlert error={form.problem} />
            <TextInput
              label={t('email')}
              type="email"
              autoComplete="username"
              required
              {...form.getInputProps('Email')}
            />
            <PasswordInput
              label={t('password')}
              autoComplete="current-password"
              required
              {...form.getInputProps('Password')}
            />
            <Button type="submit" loading={saving.isPending}>
              {t('signIn')}
            </Button>
            {isOffered === true && (
              <Anchor href={Email === '' ? '/signin/sso' : `/signin/sso?email=${encodeURIComponent(Email)}`}>
                {t('byProvider')}
              </Anchor>
            )}
            <Text size="sm" c="dimmed">
              {t('forgotten')}
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  )
}

export const SignInPage = () => (
  <main>
    <SignInForm />
  </main>
)
