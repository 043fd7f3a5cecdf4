import { Alert, Button, Group, Stack } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { KeyExamples } from '../../ui/embed/key-examples.tsx'

export const KeyShown = ({ token, onClose }: { readonly token: string; readonly onClose: () => void }) => {
  const t = useTexts('account.apiKeys')
  return (
    <Stack>
      <Alert color="blue" variant="outline" role="status">
        {t('shown')}
      </Alert>
      <CopyField label={t('token')} value={token} />
      <KeyExamples token={token} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('done')}</Button>
      </Group>
    </Stack>
  )
}
