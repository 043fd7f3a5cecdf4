import { MultiSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { permissions } from '@zoetrope/vocabulary'
import { allProjects } from '../../projects/all-projects.ts'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { fieldErrors } from '../../ui/field-errors.ts'
import type { ApiKey } from '../account-queries.ts'
import { ExpiryField, expiresAtOf, expiryOf } from './expiry-field.tsx'
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
  const { data: projects = [] } = useQuery(allProjects)
  const [Label, setLabel] = useState(apiKey?.Label ?? '')
  const available = apiKey === null ? permissions : permissionsIn(apiKey.Scopes)
  const [chosen, setChosen] = useState(available)
  const before = (apiKey?.ProjectIds ?? []).map(String)
  const [projectIds, setProjectIds] = useState(before)
  const wasBefore = expiryOf(apiKey?.ExpiresAt ?? null)
  const [expiry, setExpiry] = useState(wasBefore)
  const isExpirySame = apiKey !== null && expiry.choice === wasBefore.choice && expiry.day === wasBefore.day
  const body = () => ({
    Label,
    Scopes: scopesFor(chosen, apiKey?.Scopes),
    ProjectIds: projectIds.length === 0 ? null : projectIds.map(Number),
    ...(!isExpirySame && { ExpiresAt: expiresAtOf(expiry) }),
  })
  const save = useMutation({
    mutationFn: async (): Promise<string | null> => {
      if (apiKey === null) return (await zoetrope.apiKeys.create(body())).Token
      await zoetrope.apiKeys.update(apiKey.Id, body())
      return null
    },
    onSuccess: async (token) => {
      await client.invalidateQueries({ queryKey: queryKeys.apiKeys })
      if (token === null) onClose()
    },
  })
  const errors = fieldErrors(save.error)
  if (save.data != null) return <KeyShown token={save.data} onClose={onClose} />
  return (
    <DialogForm
      error={save.error}
      isPending={save.isPending}
      action={t(apiKey === null ? 'createAct' : 'save')}
      onSubmit={() => save.mutate()}
      onCancel={onClose}
      isReady={chosen.length > 0}
    >
      <TextInput
        label={t('label')}
        description={t('labelExplained')}
        required
        maxLength={200}
        data-autofocus
        value={Label}
        error={errors['Label']}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <ScopePicker value={chosen} onChange={setChosen} available={available} />
      <MultiSelect
        label={t('projects')}
        description={t('projectsExplained')}
        searchable
        clearable
        value={projectIds}
        error={errors['ProjectIds']}
        data={projects.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
        onChange={setProjectIds}
      />
      <ExpiryField value={expiry} onChange={setExpiry} error={errors['ExpiresAt']} />
    </DialogForm>
  )
}
