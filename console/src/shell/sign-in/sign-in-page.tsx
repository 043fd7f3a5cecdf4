import {
  Anchor,
  Button,
  Center,
  Divider,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { zoetrope } from '../api.ts'
import { beginSession } from '../session.ts'
import { useTexts } from '../texts.ts'
import { ResetForm } from './reset-form.tsx'
import { afterPassword } from './second-factor.ts'
import { SecondStep } from './second-step.tsx'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'

interface Offer {
  readonly IsOffered: boolean
  readonly IsPasswordResetOffered: boolean
}

const FirstStep = ({
  onSecondFactor,
  onForgotten,
}: {
  readonly onSecondFactor: (factors: string) => void
  readonly onForgotten: (email: string) => void
}) => {
  const t = useTexts('shell.signIn')
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
  const passkey = usePasskeySignIn({ isAutofill: true, onSignedIn: beginSession })
  const form = useSaveForm({
    initialValues: { Email: '', Password: '' },
    save: (credentials) => afterPassword(zoetrope.sessions.signIn(credentials)),
    onSaved: (after) =>
      after.session === null ? onSecondFactor(after.factors) : beginSession(after.session),
  })
  const { saving } = form
  const { Email } = form.values
  return (
    <Stack>
      <Title order={1} size="h2">
        {t('title')}
      </Title>
      {passkey.isOffered && (
        <>
          <Button
            leftSection={<IconFingerprint size={18} aria-hidden />}
            loading={passkey.isPending}
            onClick={passkey.signIn}
          >
            {t('passkey')}
          </Button>
          <ProblemAlert error={passkey.error} />
          <Divider label={t('or')} />
        </>
      )}
      <form onSubmit={form.submit}>
        <Stack>
          <ProblemAlert error={form.problem} />
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username webauthn"
            required
            {...form.getInputProps('Email')}
          />
          <PasswordInput
            label={t('password')}
            autoComplete="current-password"
            required
            {...form.getInputProps('Password')}
          />
          <Button type="submit" variant={passkey.isOffered ? 'default' : 'filled'} loading={saving.isPending}>
            {t('signIn')}
          </Button>
          {offer?.IsOffered === true && (
            <Anchor href={Email === '' ? '/signin/sso' : `/signin/sso?email=${encodeURIComponent(Email)}`}>
              {t('byProvider')}
            </Anchor>
          )}
          {offer?.IsPasswordResetOffered === true ? (
            <Anchor component="button" type="button" onClick={() => onForgotten(Email)}>
              {t('reset')}
            </Anchor>
          ) : (
            <Text size="sm" c="dimmed">
              {t('forgotten')}
            </Text>
          )}
        </Stack>
      </form>
    </Stack>
  )
}

export const SignInForm = () => {
  const [factors, setFactors] = useState<string | null>(null)
  const [forgottenBy, setForgottenBy] = useState<string | null>(null)
  if (forgottenBy !== null) return <ResetForm email={forgottenBy} onBack={() => setForgottenBy(null)} />
  return (
    <Center mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400}>
        {factors === null ? (
          <FirstStep onSecondFactor={setFactors} onForgotten={setForgottenBy} />
        ) : (
          <SecondStep factors={factors} onSignedIn={beginSession} onBack={() => setFactors(null)} />
        )}
      </Paper>
    </Center>
  )
}

export const SignInPage = () => (
  <main>
    <SignInForm />
  </main>
)
