import { Anchor, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { zoetrope } from '../api.ts'
import { beginSession } from '../session.ts'
import { useTexts } from '../texts.ts'
import { ResetForm } from './reset-form.tsx'

interface Offer {
  readonly IsOffered: boolean
  readonly IsPasswordResetOffered: boolean
}

export const SignInForm = () => {
  const t = useTexts('shell.signIn')
  const [isForgotten, setForgotten] = useState(false)
  const { data: offer } = useQuery({
    queryKey: ['sign-in-by-provider'],
    queryFn: async ({ signal }): Promise<Offer> => {
      const answer = await fetch('/signin/sso/offered', { signal })
      return answer.ok
        ? ((await answer.json()) as Offer)
        : { IsOffered: false, IsPasswordResetOffered: false }
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
  if (isForgotten) return <ResetForm email={Email} onBack={() => setForgotten(false)} />
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
            {offer?.IsOffered === true && (
              <Anchor href={Email === '' ? '/signin/sso' : `/signin/sso?email=${encodeURIComponent(Email)}`}>
                {t('byProvider')}
              </Anchor>
            )}
            {offer?.IsPasswordResetOffered === true ? (
              <Anchor component="button" type="button" onClick={() => setForgotten(true)}>
                {t('reset')}
              </Anchor>
            ) : (
              <Text size="sm" c="dimmed">
                {t('forgotten')}
              </Text>
            )}
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
