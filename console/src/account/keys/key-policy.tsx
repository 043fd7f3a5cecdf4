import { NumberInput, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { keyPolicy } from '../account-queries.ts'

/** Says how long a new key can live, if the account limits it. */
export const KeyPolicyNote = () => {
  const t = useTexts('account.apiKeys')
  const { data } = useQuery(keyPolicy)
  const days = data?.MaxLifetimeDays
  return typeof days === 'number' ? <Text size="sm">{t('policyNote', { count: days })}</Text> : null
}

const PolicyFields = ({ days, onClose }: { readonly days: number | null; readonly onClose: () => void }) => {
  const t = useTexts('account.apiKeys')
  const client = useQueryClient()
  const form = useSaveForm<{ MaxLifetimeDays: number | string }, unknown>({
    initialValues: { MaxLifetimeDays: days ?? '' },
    save: ({ MaxLifetimeDays }) =>
      zoetrope.apiKeys.updatePolicy({
        MaxLifetimeDays: MaxLifetimeDays === '' ? null : Number(MaxLifetimeDays),
      }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.apiKeys })
      onClose()
    },
  })
  return (
    <DialogForm form={form} action={t('save')} onCancel={onClose}>
      <NumberInput
        label={t('maxDays')}
        description={t('maxDaysExplained')}
        min={1}
        max={3650}
        allowDecimal={false}
        data-autofocus
        {...form.getInputProps('MaxLifetimeDays')}
      />
    </DialogForm>
  )
}

export const KeyPolicyForm = ({ onClose }: { readonly onClose: () => void }) => {
  const { data } = useQuery(keyPolicy)
  return data === undefined ? null : <PolicyFields days={data.MaxLifetimeDays} onClose={onClose} />
}
