import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { formatTime } from '../../ui/format.ts'

export const LinkShown = ({
  link,
  onClose,
}: {
  readonly link: {
    readonly Email: string
    readonly URL: string
    readonly ExpiresAt: string
    readonly IsMailed: boolean
  }
  readonly onClose: () => void
}) => {
  const t = useTexts('account.users')
  return (
    <Stack>
      {link.IsMailed && <Text>{t('linkMailed', { email: link.Email })}</Text>}
      <Alert color="blue" variant="outline" role="status">
        {t('linkShown')}
      </Alert>
      <CopyField label={t('linkFor', { name: link.Email })} value={link.URL} />
      <Text size="sm">{t('linkUntil', { until: formatTime(link.ExpiresAt) })}</Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('done')}</Button>
      </Group>
    </Stack>
  )
}
