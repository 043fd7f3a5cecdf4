import { Anchor, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { factorsQuery, type Factors } from '../../account/security/factor-queries.ts'
import { focusWhenShown } from '../../ui/hooks/focus-when-shown.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { zoetrope } from '../api.ts'
import { answerConfirmation, useIsConfirmationAsked } from '../requests/confirm-calls.ts'
import { useSession } from '../session.ts'
import { useTexts } from '../texts.ts'
import { canUsePasskeys, readPasskey } from './passkeys.ts'

const confirmed = () => answerConfirmation(true)
const cancel = () => answerConfirmation(false)

const PasskeyButton = () => {
  const t = useTexts('shell.confirm')
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { Options } = await zoetrope.sessions.startConfirmation()
      const Credential = await readPasskey(Options)
      return Credential === null ? null : zoetrope.sessions.confirm({ Credential })
    },
    onSuccess: (outcome) => outcome !== null && confirmed(),
  })
  return (
    <>
      <Button
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {t('passkey')}
      </Button>
      <ProblemAlert error={error} />
    </>
  )
}

const SecretForm = ({
  factors: { HasPassword, AuthenticatorApp },
  isSecondary,
}: {
  readonly factors: Factors
  /** Another button is the recommended one. */
  readonly isSecondary: boolean
}) => {
  const t = useTexts('shell.confirm')
  const hasApp = AuthenticatorApp !== null
  const [kind, setKind] = useState<'Password' | 'Code'>(HasPassword ? 'Password' : 'Code')
  const form = useSaveForm({
    initialValues: { Password: '', Code: '' },
    save: ({ Password, Code }) => zoetrope.sessions.confirm(kind === 'Password' ? { Password } : { Code }),
    onSaved: confirmed,
  })
  return (
    <form onSubmit={form.submit}>
      <Stack>
        {kind === 'Password' ? (
          <PasswordInput
            label={t('password')}
            autoComplete="current-password"
            required
            data-autofocus
            ref={focusWhenShown}
            maxLength={200}
            {...form.getInputProps('Password')}
          />
        ) : (
          <TextInput
            label={t('code')}
            autoComplete="one-time-code"
            required
            data-autofocus
            ref={focusWhenShown}
            maxLength={40}
            {...form.getInputProps('Code')}
          />
        )}
        <ProblemAlert error={form.problem} />
        {HasPassword && hasApp && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="start"
            onClick={() => setKind(kind === 'Password' ? 'Code' : 'Password')}
          >
            {t(kind === 'Password' ? 'useCode' : 'usePassword')}
          </Anchor>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            {t('cancel')}
          </Button>
          <Button type="submit" variant={isSecondary ? 'default' : 'filled'} loading={form.saving.isPending}>
            {t('confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const Proofs = () => {
  const t = useTexts('shell.confirm')
  const { User } = useSession()
  const { data: factors, error } = useQuery(factorsQuery)
  if (factors === undefined) return <ProblemAlert error={error} />
  const hasPasskey = factors.Passkeys.length > 0 && factors.CanUsePasskeys && canUsePasskeys()
  const hasSecret = factors.HasPassword || factors.AuthenticatorApp !== null
  return (
    <Stack>
      <Text size="sm">{t('explained')}</Text>
      {hasPasskey && <PasskeyButton />}
      {hasSecret && <SecretForm factors={factors} isSecondary={hasPasskey} />}
      {!hasPasskey && !hasSecret && (
        <>
          <Text>{t('byProvider')}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={cancel}>
              {t('cancel')}
            </Button>
            <Button component="a" href={`/signin/sso?ask=again&email=${encodeURIComponent(User.Email)}`}>
              {t('again')}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}

/** Above the dialog whose request needs the confirmation. */
const aboveDialogs = 500

export const ConfirmDialog = () => {
  const t = useTexts('shell.confirm')
  const isAsked = useIsConfirmationAsked()
  return (
    <Modal opened={isAsked} onClose={cancel} title={t('title')} size="sm" zIndex={aboveDialogs}>
      <Proofs />
    </Modal>
  )
}
