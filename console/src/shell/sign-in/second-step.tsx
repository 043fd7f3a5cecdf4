import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { zoetrope } from '../api.ts'
import type { Session } from '../session-record.ts'
import { useTexts } from '../texts.ts'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'

/** Asks for a second factor after the password. */
export const SecondStep = ({
  factors,
  onSignedIn,
  onBack,
}: {
  /** Names of the factors that the user has, as the server lists them. */
  readonly factors: string
  readonly onSignedIn: (session: Session) => void
  readonly onBack: () => void
}) => {
  const t = useTexts('shell.secondStep')
  const passkey = usePasskeySignIn({ isAutofill: false, onSignedIn })
  const form = useSaveForm({
    initialValues: { Code: '' },
    save: (values) => zoetrope.sessions.finishSignIn(values),
    onSaved: onSignedIn,
  })
  const input = useRef<HTMLInputElement>(null)
  // The password field, which had the focus, is gone.
  useEffect(() => input.current?.focus(), [])
  return (
    <Stack>
      <Title order={1} size="h2">
        {t('title')}
      </Title>
      {factors.includes('passkey') && passkey.isOffered && (
        <>
          <Button
            leftSection={<IconFingerprint size={18} aria-hidden />}
            loading={passkey.isPending}
            onClick={passkey.signIn}
          >
            {t('passkey')}
          </Button>
          <ProblemAlert error={passkey.error} />
        </>
      )}
      <form onSubmit={form.submit}>
        <Stack>
          <Text size="sm">{t(factors.includes('authenticator app') ? 'app' : 'recovery')}</Text>
          <ProblemAlert error={form.problem} />
          <TextInput
            ref={input}
            label={t('code')}
            autoComplete="one-time-code"
            required
            maxLength={40}
            {...form.getInputProps('Code')}
          />
          <Button
            type="submit"
            variant={factors.includes('passkey') ? 'default' : 'filled'}
            loading={form.saving.isPending}
          >
            {t('signIn')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('lost')}
          </Text>
          <Anchor component="button" type="button" size="sm" ta="start" onClick={onBack}>
            {t('back')}
          </Anchor>
        </Stack>
      </form>
    </Stack>
  )
}
