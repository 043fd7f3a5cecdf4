import { Select, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import type { ApiKey } from '../account-queries.ts'
import { KeyShown } from './key-shown.tsx'

const overlaps = ['86400', '604800', '3600', '0'] as const

export const RotateKey = ({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) => {
  const t = useTexts('account.apiKeys')
  const client = useQueryClient()
  const form = useSaveForm({
    initialValues: { OverlapSeconds: '86400' },
    save: ({ OverlapSeconds }) =>
      zoetrope.apiKeys.rotate(apiKey.Id, { OverlapSeconds: Number(OverlapSeconds) }),
    onSaved: () => client.invalidateQueries({ queryKey: queryKeys.apiKeys }),
  })
  const { data: rotated } = form.saving
  if (rotated !== undefined) return <KeyShown token={rotated.Token} onClose={onClose} />
  return (
    <DialogForm form={form} action={t('rotate')} onCancel={onClose}>
      <Text>{t('rotateExplained')}</Text>
      <Select
        label={t('overlap')}
        allowDeselect={false}
        data={overlaps.map((seconds) => ({ value: seconds, label: t(`overlap_${seconds}`) }))}
        {...form.getInputProps('OverlapSeconds')}
      />
    </DialogForm>
  )
}
