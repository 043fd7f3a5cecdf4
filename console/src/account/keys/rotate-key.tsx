import { Select, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import type { ApiKey } from '../account-queries.ts'
import { KeyShown } from './key-shown.tsx'

const overlaps = ['86400', '604800', '3600', '0'] as const

export const RotateKey = ({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) => {
  const t = useTexts('account.apiKeys')
  const client = useQueryClient()
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]>('86400')
  const rotate = useMutation({
    mutationFn: () => zoetrope.apiKeys.rotate(apiKey.Id, { OverlapSeconds: Number(overlap) }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.apiKeys }),
  })
  if (rotate.data !== undefined) return <KeyShown token={rotate.data.Token} onClose={onClose} />
  return (
    <DialogForm
      error={rotate.error}
      isPending={rotate.isPending}
      action={t('rotate')}
      onSubmit={() => rotate.mutate()}
      onCancel={onClose}
    >
      <Text>{t('rotateExplained')}</Text>
      <Select
        label={t('overlap')}
        allowDeselect={false}
        value={overlap}
        data={overlaps.map((seconds) => ({ value: seconds, label: t(`overlap_${seconds}`) }))}
        onChange={(chosen) => setOverlap(overlaps.find((one) => one === chosen) ?? overlap)}
      />
    </DialogForm>
  )
}
