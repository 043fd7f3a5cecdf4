import { Switch, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { fieldErrors } from '../../ui/field-errors.ts'
import { targetsQuery, type LiveTarget } from '../live-queries.ts'

/** The API never returns the key, so changing the server needs the key again. */
export const TargetForm = ({
  projectId,
  target,
  onClose,
}: {
  readonly projectId: number
  readonly target?: LiveTarget
  readonly onClose: () => void
}) => {
  const t = useTexts('live.targets')
  const client = useQueryClient()
  const [Label, setLabel] = useState(target?.Label ?? '')
  const [ServerURI, setServerUri] = useState(target?.ServerURI ?? '')
  const [StreamKey, setStreamKey] = useState('')
  const [IsEnabled, setIsEnabled] = useState(target?.IsEnabled ?? true)
  const isNewAddress = target === undefined || ServerURI !== target.ServerURI || StreamKey !== ''
  const change = { Label, IsEnabled, ...(isNewAddress && { ServerURI, StreamKey }) }
  const save = useMutation({
    mutationFn: () =>
      target === undefined
        ? zoetrope.live.createTarget(projectId, change)
        : zoetrope.live.updateTarget(projectId, target.Id, change),
    onSuccess: async () => {
      onClose()
      await client.invalidateQueries({ queryKey: targetsQuery(projectId).queryKey })
    },
  })
  const errors = fieldErrors(save.error)
  return (
    <DialogForm
      error={save.error}
      isPending={save.isPending}
      action={t('save')}
      onSubmit={() => save.mutate()}
      onCancel={onClose}
    >
      <TextInput
        label={t('label')}
        maxLength={255}
        data-autofocus
        value={Label}
        error={errors['Label']}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <TextInput
        label={t('server')}
        description={t('serverExplained')}
        placeholder="rtmps://live.example.com/app"
        required
        maxLength={2_048}
        autoComplete="off"
        value={ServerURI}
        error={errors['ServerURI']}
        onChange={(event) => setServerUri(event.currentTarget.value)}
      />
      <TextInput
        label={t('key')}
        description={t('keyExplained')}
        placeholder={target?.URI.split('/').at(-1) ?? ''}
        required={isNewAddress}
        maxLength={1_024}
        autoComplete="off"
        value={StreamKey}
        error={errors['StreamKey']}
        onChange={(event) => setStreamKey(event.currentTarget.value.trim())}
      />
      <Switch
        label={t('enabled')}
        checked={IsEnabled}
        onChange={(event) => setIsEnabled(event.currentTarget.checked)}
      />
    </DialogForm>
  )
}
