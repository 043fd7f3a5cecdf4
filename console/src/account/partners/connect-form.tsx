import { Button, Code, Group, PasswordInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { UnsavedChanges } from '../../ui/forms/unsaved-changes.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import type { Provider } from './partner-queries.ts'
import { presets, type Preset } from './presets.ts'

export const ConnectForm = ({
  preset,
  issuer,
  provider,
  onBack,
  onConnected,
}: {
  readonly preset: Preset
  /** Checked in the step before. */
  readonly issuer: string
  /** Provider to change. Null = a new one. */
  readonly provider: Provider | null
  readonly onBack: () => void
  readonly onConnected: (provider: Provider) => void
}) => {
  const t = useTexts('account.partners')
  const client = useQueryClient()
  const { authentications, needs } = presets[preset]
  const before = provider?.Preset === preset ? provider : null
  const form = useSaveForm({
    initialValues: {
      ClientId: before?.ClientId ?? '',
      Authentication: before?.Authentication ?? authentications[0],
      ClientSecret: '',
      Scope: before?.Scope ?? '',
      Audience: before?.Audience ?? '',
    },
    save: ({ ClientSecret, Scope, Audience, ...rest }) =>
      zoetrope.partners.connectIdentityProvider({
        Preset: preset,
        Issuer: issuer,
        ...rest,
        ...(ClientSecret !== '' && { ClientSecret }),
        Scope: Scope || null,
        Audience: Audience || null,
      }),
    onSaved: async (connected) => {
      await client.invalidateQueries({ queryKey: queryKeys.partners })
      onConnected(connected)
    },
  })
  const { Authentication: kind } = form.values
  const needed = (field: 'Scope' | 'Audience'): boolean => needs.some((one) => one === field)
  const secret = {
    description: before === null ? t('secretKept') : t('secretAgain'),
    required: before === null,
    ...form.getInputProps('ClientSecret'),
  }
  return (
    <form onSubmit={form.submit}>
      <UnsavedChanges isDirty={form.isDirty()} />
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('issuer')}: <Code>{issuer}</Code>
        </Text>
        <TextInput
          label={t('clientId')}
          required
          maxLength={512}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('ClientId')}
        />
        <Select
          label={t('authentication')}
          {...(kind === 'private_key_jwt' && { description: t('doKey') })}
          allowDeselect={false}
          data={[...authentications]}
          {...form.getInputProps('Authentication')}
        />
        {kind === 'service_account' && (
          <Textarea
            label={t('secretGoogle')}
            autosize
            minRows={4}
            maxRows={10}
            maxLength={8_192}
            {...secret}
          />
        )}
        {kind.startsWith('client_secret') && (
          <PasswordInput label={t('secret')} autoComplete="off" maxLength={8_192} {...secret} />
        )}
        <TextInput
          label={t('scope')}
          required={needed('Scope')}
          maxLength={1_024}
          {...form.getInputProps('Scope')}
        />
        <TextInput
          label={t('audience')}
          required={needed('Audience')}
          maxLength={1_024}
          {...form.getInputProps('Audience')}
        />
        <ProblemAlert error={form.problem} />
        <Group justify="space-between">
          <Button variant="default" onClick={onBack}>
            {t('back')}
          </Button>
          <Button type="submit" loading={form.saving.isPending}>
            {t('tryConnect')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
