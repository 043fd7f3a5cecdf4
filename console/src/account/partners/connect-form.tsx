import { PasswordInput, Select, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import type { Provider } from './partner-queries.ts'
import { presets, type Preset } from './presets.ts'

export const ConnectForm = ({
  preset,
  provider,
  onClose,
}: {
  readonly preset: Preset
  /** Provider to change. Null = a new one. */
  readonly provider: Provider | null
  readonly onClose: () => void
}) => {
  const t = useTexts('account.partners')
  const client = useQueryClient()
  const { issuer, authentications, needs } = presets[preset]
  const before = provider?.Preset === preset ? provider : null
  const form = useSaveForm({
    initialValues: {
      Issuer: before?.Issuer ?? (preset === 'google' ? issuer : ''),
      ClientId: before?.ClientId ?? '',
      Authentication: before?.Authentication ?? authentications[0],
      ClientSecret: '',
      Scope: before?.Scope ?? '',
      Audience: before?.Audience ?? '',
    },
    save: ({ ClientSecret, Scope, Audience, ...rest }) =>
      zoetrope.partners.connectIdentityProvider({
        Preset: preset,
        ...rest,
        ...(ClientSecret !== '' && { ClientSecret }),
        Scope: Scope || null,
        Audience: Audience || null,
      }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.partners })
      onClose()
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
    <DialogForm form={form} action={t('tryConnect')} onCancel={onClose}>
      <TextInput
        label={t('issuer')}
        description={t('issuerExplained')}
        placeholder={issuer}
        type="url"
        required
        maxLength={1_024}
        {...form.getInputProps('Issuer')}
      />
      <TextInput
        label={t('clientId')}
        required
        maxLength={512}
        autoComplete="off"
        {...form.getInputProps('ClientId')}
      />
      <Select
        label={t('authentication')}
        allowDeselect={false}
        data={[...authentications]}
        {...form.getInputProps('Authentication')}
      />
      {kind === 'service_account' && (
        <Textarea label={t('secretGoogle')} autosize minRows={4} maxRows={10} maxLength={8_192} {...secret} />
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
    </DialogForm>
  )
}
