import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { UnsavedChanges } from '../../ui/forms/unsaved-changes.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import type { Provider } from './partner-queries.ts'

/** Enables sign-in with the connected provider, after a test of its client. */
export const SignInForm = ({
  provider,
  onSaved,
  children,
}: {
  readonly provider: Provider
  readonly onSaved?: () => void
  /** Further buttons. */
  readonly children?: ReactNode
}) => {
  const t = useTexts('account.partners')
  const client = useQueryClient()
  const { SignIn } = provider
  const form = useSaveForm({
    initialValues: { SignIn: { IsEnabled: true, ClientId: SignIn.ClientId ?? '', ClientSecret: '' } },
    save: ({ SignIn: { IsEnabled, ClientId, ClientSecret } }) =>
      zoetrope.partners.connectIdentityProvider(
        IsEnabled
          ? {
              // The request names the issuer, because another administrator may have replaced the provider.
              Issuer: provider.Issuer,
              SignIn: { IsEnabled, ClientId: ClientId || null, ...(ClientSecret !== '' && { ClientSecret }) },
            }
          : { SignIn: { IsEnabled } },
      ),
    valuesAfter: (saved) => ({
      SignIn: { IsEnabled: true, ClientId: saved.SignIn.ClientId ?? '', ClientSecret: '' },
    }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.partners })
      onSaved?.()
    },
  })
  const { saving, values } = form
  return (
    <form onSubmit={form.submit}>
      <UnsavedChanges isDirty={form.isDirty()} />
      <Stack>
        <Text size="sm">{t('signInExplained')}</Text>
        <CopyField label={t('redirect')} value={SignIn.RedirectURI} />
        <TextInput
          label={t('signInClient')}
          description={t('signInClientExplained')}
          autoComplete="off"
          maxLength={512}
          {...form.getInputProps('SignIn.ClientId')}
        />
        <PasswordInput
          label={t('secret')}
          description={t(SignIn.HasClientSecret ? 'secretAgain' : 'secretKept')}
          autoComplete="off"
          maxLength={8_192}
          {...form.getInputProps('SignIn.ClientSecret')}
        />
        <Text size="sm" c="dimmed">
          {t('onlyFull')}
        </Text>
        <ProblemAlert error={form.problem} />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {t(SignIn.IsEnabled ? 'signInSave' : 'turnOn')}
          </Button>
          {SignIn.IsEnabled && (
            <Button
              variant="default"
              disabled={saving.isPending}
              onClick={() => saving.mutate({ SignIn: { ...values.SignIn, IsEnabled: false } })}
            >
              {t('turnOff')}
            </Button>
          )}
          {children}
        </Group>
      </Stack>
    </form>
  )
}
