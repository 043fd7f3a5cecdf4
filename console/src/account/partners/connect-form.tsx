import { PasswordInput, Select, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { fieldErrors } from '../../ui/field-errors.ts'
import type { Provider } from './partner-queries.ts'
import { presets, type Authentication, type Preset } from './presets.ts'

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
  const [Issuer, setIssuer] = useState<string>(before?.Issuer ?? (preset === 'google' ? issuer : ''))
  const [ClientId, setClientId] = useState(before?.ClientId ?? '')
  const [kind, setKind] = useState<Authentication>(before?.Authentication ?? authentications[0])
  const [ClientSecret, setClientSecret] = useState('')
  const [Scope, setScope] = useState(before?.Scope ?? '')
  const [Audience, setAudience] = useState(before?.Audience ?? '')
  const connect = useMutation({
    mutationFn: () =>
      zoetrope.partners.connectIdentityProvider({
        Preset: preset,
        Issuer,
        ClientId,
        Authentication: kind,
        ...(ClientSecret !== '' && { ClientSecret }),
        Scope: Scope || null,
        Audience: Audience || null,
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.partners })
      onClose()
    },
  })
  const errors = fieldErrors(connect.error)
  const needed = (field: 'Scope' | 'Audience'): boolean => needs.some((one) => one === field)
  const secret = {
    description: before === null ? t('secretKept') : t('secretAgain'),
    required: before === null,
    value: ClientSecret,
    error: errors['ClientSecret'],
  }
  return (
    <DialogForm
      error={connect.error}
      isPending={connect.isPending}
      action={t('tryConnect')}
      onSubmit={() => connect.mutate()}
      onCancel={onClose}
    >
      <TextInput
        label={t('issuer')}
        description={t('issuerExplained')}
        placeholder={issuer}
        type="url"
        required
        maxLength={1_024}
        value={Issuer}
        error={errors['Issuer']}
        onChange={(event) => setIssuer(event.currentTarget.value)}
      />
      <TextInput
        label={t('clientId')}
        required
        maxLength={512}
        autoComplete="off"
        value={ClientId}
        error={errors['ClientId']}
        onChange={(event) => setClientId(event.currentTarget.value)}
      />
      <Select
        label={t('authentication')}
        allowDeselect={false}
        value={kind}
        error={errors['Authentication']}
        data={[...authentications]}
        onChange={(chosen) => setKind(authentications.find((one) => one === chosen) ?? kind)}
      />
      {kind === 'service_account' && (
        <Textarea
          label={t('secretGoogle')}
          autosize
          minRows={4}
          maxRows={10}
          maxLength={8_192}
          {...secret}
          onChange={(event) => setClientSecret(event.currentTarget.value)}
        />
      )}
      {kind.startsWith('client_secret') && (
        <PasswordInput
          label={t('secret')}
          autoComplete="off"
          maxLength={8_192}
          {...secret}
          onChange={(event) => setClientSecret(event.currentTarget.value)}
        />
      )}
      <TextInput
        label={t('scope')}
        required={needed('Scope')}
        maxLength={1_024}
        value={Scope}
        error={errors['Scope']}
        onChange={(event) => setScope(event.currentTarget.value)}
      />
      <TextInput
        label={t('audience')}
        required={needed('Audience')}
        maxLength={1_024}
        value={Audience}
        error={errors['Audience']}
        onChange={(event) => setAudience(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
