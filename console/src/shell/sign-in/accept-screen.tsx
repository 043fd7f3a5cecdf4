import { Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { zoetrope } from '../api.ts'
import { beginSession } from '../session.ts'
import type { Session } from '../session-record.ts'
import { afterPassword } from './second-factor.ts'
import { SecondStep } from './second-step.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { takeToken } from './take-token.ts'
import { useTexts } from '../texts.ts'
import { PasswordHint } from '../../ui/forms/password-hint.tsx'

export const AcceptScreen = () => {
  const t = useTexts('shell.accept')
  const navigate = useNavigate()
  const [Token] = useState(takeToken)
  const [factors, setFactors] = useState<string | null>(null)
  const finish = (session: Session) => {
    beginSession(session)
    void navigate({ to: '/' })
  }
  const form = useSaveForm({
    initialValues: { Name: '', Password: '' },
    save: (values) => afterPassword(zoetrope.sessions.acceptInvitation({ Token, ...values })),
    onSaved: (after) => {
      if (after.session === null) setFactors(after.factors)
      else finish(after.session)
    },
  })
  const { saving } = form
  if (factors !== null)
    return (
      <main>
        <SignInFrame>
          <SecondStep factors={factors} onSignedIn={finish} onBack={() => void navigate({ to: '/' })} />
        </SignInFrame>
      </main>
    )
  return (
    <main>
      <SignInFrame>
        <Stack>
          <Title order={1} size="h2">
            {t('title')}
          </Title>
          {Token === '' ? (
            <Text role="alert">{t('notWhole')}</Text>
          ) : (
            <form onSubmit={form.submit}>
              <Stack>
                <Text>{t('advice')}</Text>
                <ProblemAlert error={form.problem} />
                <TextInput
                  label={t('name')}
                  autoComplete="name"
                  maxLength={200}
                  {...form.getInputProps('Name')}
                />
                <PasswordInput
                  label={t('password')}
                  autoComplete="new-password"
                  maxLength={200}
                  required
                  {...form.getInputProps('Password')}
                />
                <PasswordHint password={form.values.Password} />
                <Button type="submit" loading={saving.isPending}>
                  {t('signIn')}
                </Button>
              </Stack>
            </form>
          )}
        </Stack>
      </SignInFrame>
    </main>
  )
}
