import { Switch, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { DialogForm } from '../ui/dialog-form.tsx'
import { fieldErrors } from '../ui/field-errors.ts'
import { targetsQuery, type LiveTarget } from './live-queries.ts'
import { useTargetsWords } from './targets-words.ts'

/** Of a target that is there the address is sent only when it was typed anew: its key is not shown again. */
export const TargetForm = ({
  projectId,
  target,
  onClose,
}: {
  readonly projectId: number
  readonly target?: LiveTarget
  readonly onClose: () => void
}) => {
  const t = useTargetsWords()
  const client = useQueryClient()
  const [Label, setLabel] = useState(target?.Label ?? '')
  const [URI, setUri] = useState('')
  const [IsEnabled, setIsEnabled] = useState(target?.IsEnabled ?? true)
  const save = useMutation({
    mutationFn: () =>
      target === undefined
        ? zoetrope.live.createTarget(projectId, { Label, URI, IsEnabled })
        : zoetrope.live.updateTarget(projectId, target.Id, { Label, IsEnabled, ...(URI !== '' && { URI }) }),
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
        label={t('uri')}
        description={t('uriExplained')}
        placeholder={target?.URI ?? 'rtmps://live.example.com/app/key'}
        required={target === undefined}
        maxLength={2_048}
        autoComplete="off"
        value={URI}
        error={errors['URI']}
        onChange={(event) => setUri(event.currentTarget.value)}
      />
      <Switch
        label={t('enabled')}
        checked={IsEnabled}
        onChange={(event) => setIsEnabled(event.currentTarget.checked)}
      />
    </DialogForm>
  )
}
