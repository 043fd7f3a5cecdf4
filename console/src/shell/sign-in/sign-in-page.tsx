import { Anchor, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { zoetrope } from '../api.ts'
import { beginSession } from '../session.ts'
import { useTexts } from '../texts.ts'

export const SignInForm = () => {
  const t = useTexts('shell.signIn')
  const [Email, setEmail] = useState('')
  const [Password, setPassword] = useState('')
  const { data: isOffered } = useQuery({
    queryKey: ['sign-in-by-provider'],
    queryFn: async ({ signal }): Promise<boolean> => {
      const answer = await fetch('/signin/sso/offered', { signal })
      return answer.ok && ((await answer.json()) as { IsOffered: boolean }).IsOffered
    },
    staleTime: Infinity,
  })
  const signIn = useMutation({
    mutationFn: () => zoetrope.sessions.signIn({ Email, Password }),
    onSuccess: beginSession,
  })
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <Center mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h2">
              {t('title')}
            </Title>
            <ProblemAlert error={signIn.error} />
            <TextInput
              label={t('email')}
              type="email"
              autoComplete="username"
              required
              value={Email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <PasswordInput
              label={t('password')}
              autoComplete="current-password"
              required
              value={Password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <Button type="submit" loading={signIn.isPending}>
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
