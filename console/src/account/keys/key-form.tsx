import { Checkbox, MultiSelect, TagsInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { permissions } from '@zoetrope/vocabulary'
import { useProjectChoices } from '../../projects/all-projects.ts'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import type { ApiKey } from '../account-queries.ts'
import { ExpiryField, expiresAtOf, expiryOf } from './expiry-field.tsx'
import { KeyPolicyNote } from './key-policy.tsx'
import { KeyShown } from './key-shown.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { permissionsIn, scopesFor } from './scopes.ts'

export const KeyForm = ({
  apiKey,
  onClose,
}: {
  readonly apiKey: ApiKey | null
  readonly onClose: () => void
}) => {
  const t = useTexts('account.apiKeys')
  const client = useQueryClient()
  const projects = useProjectChoices()
  const available = apiKey === null ? permissions : permissionsIn(apiKey.Scopes)
  const expiryBefore = expiryOf(apiKey?.ExpiresAt ?? null)
  const form = useSaveForm({
    initialValues: {
      Label: apiKey?.Label ?? '',
      Scopes: available,
      ProjectIds: (apiKey?.ProjectIds ?? []).map(String),
      ExpiresAt: expiryBefore,
      AllowedNetworks: apiKey?.AllowedNetworks ?? [],
      isShort: false,
    },
    save: async ({
      Label,
      Scopes,
      ProjectIds,
      ExpiresAt,
      AllowedNetworks,
      isShort,
    }): Promise<string | null> => {
      const { choice, day } = ExpiresAt
      const isExpirySame = apiKey !== null && choice === expiryBefore.choice && day === expiryBefore.day
      const body = {
        Label,
        Scopes: scopesFor(Scopes, apiKey?.Scopes),
        ProjectIds: ProjectIds.length === 0 ? null : ProjectIds.map(Number),
        AllowedNetworks,
        ...(!isExpirySame && { ExpiresAt: expiresAtOf(ExpiresAt) }),
      }
      if (apiKey === null)
        return (await zoetrope.apiKeys.create({ ...body, Format: isShort ? 'opaque' : 'jwt' })).Token
      await zoetrope.apiKeys.update(apiKey.Id, body)
      return null
    },
    onSaved: async (token) => {
      await client.invalidateQueries({ queryKey: queryKeys.apiKeys })
      if (token === null) onClose()
    },
  })
  const { data: token } = form.saving
  if (token != null) return <KeyShown token={token} onClose={onClose} />
  return (
    <DialogForm
      form={form}
      action={t(apiKey === null ? 'createAct' : 'save')}
      onCancel={onClose}
      isReady={form.values.Scopes.length > 0}
    >
      <TextInput
        label={t('label')}
        description={t('labelExplained')}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps('Label')}
      />
      <ScopePicker {...form.getInputProps('Scopes')} value={form.values.Scopes} available={available} />
      <MultiSelect
        label={t('projects')}
        description={t('projectsExplained')}
        searchable
        clearable
        data={projects}
        {...form.getInputProps('ProjectIds')}
      />
      <TagsInput
        label={t('networks')}
        description={t('networksExplained')}
        placeholder="203.0.113.0/24"
        clearable
        {...form.getInputProps('AllowedNetworks')}
      />
      <ExpiryField {...form.getInputProps('ExpiresAt')} value={form.values.ExpiresAt} />
      <KeyPolicyNote />
      {apiKey === null && (
        <Checkbox
          label={t('short')}
          description={t('shortExplained')}
          {...form.getInputProps('isShort', { type: 'checkbox' })}
        />
      )}
    </DialogForm>
  )
}
