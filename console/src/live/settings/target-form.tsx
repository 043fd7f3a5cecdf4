import { Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
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
  const isNewAddress = ({ ServerURI, StreamKey }: { ServerURI: string; StreamKey: string }): boolean =>
    target === undefined || ServerURI !== target.ServerURI || StreamKey !== ''
  const form = useSaveForm({
    initialValues: {
      Label: target?.Label ?? '',
      ServerURI: target?.ServerURI ?? '',
      StreamKey: '',
      IsEnabled: target?.IsEnabled ?? true,
    },
    save: (values) => {
      const { Label, IsEnabled } = values
      const change = isNewAddress(values) ? values : { Label, IsEnabled }
      return target === undefined
        ? zoetrope.live.createTarget(projectId, change)
        : zoetrope.live.updateTarget(projectId, target.Id, change)
    },
    onSaved: async () => {
      onClose()
      await client.invalidateQueries({ queryKey: targetsQuery(projectId).queryKey })
    },
  })
  return (
    <DialogForm form={form} action={t('save')} onCancel={onClose}>
      <TextInput label={t('label')} maxLength={255} data-autofocus {...form.getInputProps('Label')} />
      <TextInput
        label={t('server')}
        description={t('serverExplained')}
        placeholder="rtmps://live.example.com/app"
        required
        maxLength={2_048}
        autoComplete="off"
        {...form.getInputProps('ServerURI')}
      />
      <TextInput
        label={t('key')}
        description={t('keyExplained')}
        placeholder={target?.URI.split('/').at(-1) ?? ''}
        required={isNewAddress(form.values)}
        maxLength={1_024}
        autoComplete="off"
        {...form.getInputProps('StreamKey')}
        onChange={(event) => form.setFieldValue('StreamKey', event.currentTarget.value.trim())}
      />
      <Switch label={t('enabled')} {...form.getInputProps('IsEnabled', { type: 'checkbox' })} />
    </DialogForm>
  )
}
