import { Button, Divider, Stack, Text, Title } from '@mantine/core'
import { IconBuilding, IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { beginSession } from '../session.ts'
import { useTexts } from '../texts.ts'
import { hasUsedPasskey } from './known-passkey.ts'
import { PasswordForm } from './password-form.tsx'
import { ResetForm } from './reset-form.tsx'
import { SecondStep } from './second-step.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'

interface Offer {
  readonly IsOffered: boolean
  readonly IsPasswordResetOffered: boolean
}

const useOffer = (): Offer | undefined => {
  const { data } = useQuery({
    queryKey: ['sign-in-by-provider'],
    queryFn: async ({ signal }): Promise<Offer> => {
      const answer = await fetch('/signin/sso/offered', { signal })
      return answer.ok
        ? ((await answer.json()) as Offer)
        : { IsOffered: false, IsPasswordResetOffered: false }
    },
    staleTime: Infinity,
  })
  return data
}

const FirstStep = ({
  email,
  onSecondFactor,
  onForgotten,
}: {
  readonly email: string
  readonly onSecondFactor: (factors: string) => void
  readonly onForgotten: (email: string) => void
}) => {
  const t = useTexts('shell.signIn')
  const offer = useOffer()
  const [typed, setTyped] = useState(email)
  const [isPasskeyFirst] = useState(hasUsedPasskey)
  const passkey = usePasskeySignIn({ isAutofill: true, onSignedIn: beginSession })
  // Shown at once if a passkey was used here, so that the form below does not move.
  const byPasskey = (passkey.isOffered || (isPasskeyFirst && passkey.isLoading)) && (
    <Stack gap="xs">
      <Button
        variant={isPasskeyFirst ? 'filled' : 'default'}
        leftSection={<IconFingerprint size={18} aria-hidden />}
        disabled={!passkey.isOffered}
        loading={passkey.isPending}
        onClick={passkey.signIn}
      >
        {t('passkey')}
      </Button>
      <ProblemAlert error={passkey.error} />
      {passkey.isCancelled && (
        <Text size="sm" c="dimmed" role="status">
          {t('noPasskey')}
        </Text>
      )}
    </Stack>
  )
  const byProvider = offer?.IsOffered === true && (
    <Button
      component="a"
      variant="default"
      leftSection={<IconBuilding size={18} aria-hidden />}
      href={typed === '' ? '/signin/sso' : `/signin/sso?email=${encodeURIComponent(typed)}`}
    >
      {t('byProvider')}
    </Button>
  )
  return (
    <Stack>
      <Title order={1} size="h2">
        {t('title')}
      </Title>
      {isPasskeyFirst && byPasskey !== false && (
        <>
          {byPasskey}
          <Divider label={t('orPassword')} />
        </>
      )}
      <PasswordForm
        email={email}
        isPrimary={!isPasskeyFirst || byPasskey === false}
        isResetOffered={offer?.IsPasswordResetOffered}
        onEmail={setTyped}
        onSecondFactor={onSecondFactor}
        onForgotten={() => onForgotten(typed)}
      />
      {((!isPasskeyFirst && byPasskey !== false) || byProvider !== false) && <Divider label={t('or')} />}
      {!isPasskeyFirst && byPasskey}
      {byProvider}
    </Stack>
  )
}

export const SignInForm = ({ email = '' }: { readonly email?: string }) => {
  const [factors, setFactors] = useState<string | null>(null)
  const [forgottenBy, setForgottenBy] = useState<string | null>(null)
  return (
    <SignInFrame>
      {forgottenBy !== null && <ResetForm email={forgottenBy} onBack={() => setForgottenBy(null)} />}
      {forgottenBy === null && factors === null && (
        <FirstStep email={email} onSecondFactor={setFactors} onForgotten={setForgottenBy} />
      )}
      {forgottenBy === null && factors !== null && (
        <SecondStep factors={factors} onSignedIn={beginSession} onBack={() => setFactors(null)} />
      )}
    </SignInFrame>
  )
}

export const SignInPage = () => (
  <main>
    <SignInForm />
  </main>
)
