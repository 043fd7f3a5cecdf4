import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { fieldErrors } from '../../ui/forms/field-errors.ts'
import { formatTime } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import type { Provider } from './partner-queries.ts'

export const SignInSection = ({ provider }: { readonly provider: Provider }) => {
  const t = useTexts('account.partners')
  const mayWrite = useCan()('partners:write')
  const client = useQueryClient()
  const { SignIn } = provider
  const [ClientId, setClientId] = useState(SignIn.ClientId ?? '')
  const [ClientSecret, setClientSecret] = useState('')
  const save = useMutation({
    mutationFn: (IsEnabled: boolean) =>
      zoetrope.partners.connectIdentityProvider(
        IsEnabled
          ? {
              // The request names the issuer, because another administrator may have replaced the provider.
              Issuer: provider.Issuer,
              SignIn: { IsEnabled, ClientId: ClientId || null, ...(ClientSecret !== '' && { ClientSecret }) },
            }
          : { SignIn: { IsEnabled } },
      ),
    onSuccess: async () => {
      setClientSecret('')
      await client.invalidateQueries({ queryKey: queryKeys.partners })
    },
  })
  const errors = fieldErrors(save.error)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    save.mutate(true)
  }
  return (
    <Section title={t('signIn')}>
      <Text size="sm">{t('signInExplained')}</Text>
      <CopyField label={t('redirect')} value={SignIn.RedirectURI} />
      <Text fw={500} role="status">
        {t(SignIn.IsEnabled ? 'signInOn' : 'signInOff')}
      </Text>
      {SignIn.FailureReason !== null && (
        <Alert color="red" variant="outline">
          {t('failed', { reason: SignIn.FailureReason, when: formatTime(SignIn.FailedAt) })}
        </Alert>
      )}
      {mayWrite && (
        <form onSubmit={submit}>
          <Stack maw={520}>
            <TextInput
              label={t('signInClient')}
              description={t('signInClientExplained')}
              autoComplete="off"
              maxLength={512}
              value={ClientId}
              error={errors['SignIn.ClientId']}
              onChange={(event) => setClientId(event.currentTarget.value)}
            />
            <PasswordInput
              label={t('secret')}
              description={t(SignIn.HasClientSecret ? 'secretAgain' : 'secretKept')}
              autoComplete="off"
              maxLength={8_192}
              value={ClientSecret}
              error={errors['SignIn.ClientSecret']}
              onChange={(event) => setClientSecret(event.currentTarget.value)}
            />
            <Text size="sm" c="dimmed">
              {t('onlyFull')}
            </Text>
            <ProblemAlert error={save.error} />
            <Group>
              <Button type="submit" loading={save.isPending}>
                {t(SignIn.IsEnabled ? 'signInSave' : 'turnOn')}
              </Button>
              {SignIn.IsEnabled && (
                <Button variant="default" disabled={save.isPending} onClick={() => save.mutate(false)}>
                  {t('turnOff')}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
      )}
    </Section>
  )
}
