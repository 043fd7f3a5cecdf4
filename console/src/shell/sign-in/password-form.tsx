import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { zoetrope } from '../api.ts'
import { beginSession } from '../session.ts'
import { useTexts } from '../texts.ts'
import { afterPassword } from './second-factor.ts'

export const PasswordForm = ({
  email,
  isPrimary,
  isResetOffered,
  onEmail,
  onSecondFactor,
  onForgotten,
}: {
  /** Known when a session has ended by itself. */
  readonly email: string
  readonly isPrimary: boolean
  /** Undefined until the server has answered. */
  readonly isResetOffered: boolean | undefined
  readonly onEmail: (email: string) => void
  readonly onSecondFactor: (factors: string) => void
  readonly onForgotten: () => void
}) => {
  const t = useTexts('shell.signIn')
  const [hasCapsLock, setHasCapsLock] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const form = useSaveForm({
    initialValues: { Email: email, Password: '' },
    save: (credentials) => afterPassword(zoetrope.sessions.signIn(credentials)),
    onSaved: (after) =>
      after.session === null ? onSecondFactor(after.factors) : beginSession(after.session),
  })
  const { saving } = form
  useEffect(() => (email === '' ? first : password).current?.focus(), [email])
  const { error } = saving
  // The next attempt usually has another password and the same address.
  useEffect(() => {
    if (error !== null) password.current?.select()
  }, [error])
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <ProblemAlert error={form.problem} />
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username webauthn"
          required
          withAsterisk={false}
          {...form.getInputProps('Email')}
          ref={first}
          {...(email === '' && { 'data-autofocus': true })}
          onChange={(event) => {
            form.setFieldValue('Email', event.currentTarget.value)
            onEmail(event.currentTarget.value)
          }}
        />
        <PasswordInput
          label={t('password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...form.getInputProps('Password')}
          ref={password}
          {...(email !== '' && { 'data-autofocus': true })}
          onKeyUp={(event) => setHasCapsLock(event.getModifierState('CapsLock'))}
          description={hasCapsLock ? t('capsLock') : null}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <Button type="submit" variant={isPrimary ? 'filled' : 'default'} loading={saving.isPending}>
          {t('signIn')}
        </Button>
        {isResetOffered === true && (
          <Anchor component="button" type="button" size="sm" onClick={onForgotten}>
            {t('reset')}
          </Anchor>
        )}
        {isResetOffered === false && (
          <Text size="sm" c="dimmed">
            {t('forgotten')}
          </Text>
        )}
      </Stack>
    </form>
  )
}
