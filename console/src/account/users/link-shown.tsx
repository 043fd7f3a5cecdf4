import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { copyText } from '../../ui/copy-button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { formatTime } from '../../ui/format.ts'
import { useToasts } from '../../ui/toasts.tsx'

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
  const toasts = useToasts()
  const copyButton = useRef<HTMLButtonElement>(null)
  // The field that had the focus is gone. Enter then copies the link.
  useEffect(() => copyButton.current?.focus(), [])
  const copyAndClose = async (): Promise<void> => {
    // The field above stays, so that the link can be copied by hand.
    if (!(await copyText(link.URL))) return
    toasts.done(t('copied'))
    onClose()
  }
  return (
    <Stack>
      <Text role="status">{link.IsMailed ? t('linkMailed', { email: link.Email }) : t('linkShown')}</Text>
      <CopyField label={t('linkFor', { name: link.Email })} value={link.URL} />
      <Text size="sm">{t('linkUntil', { until: formatTime(link.ExpiresAt) })}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('done')}
        </Button>
        <Button ref={copyButton} onClick={() => void copyAndClose()}>
          {t('copyLink')}
        </Button>
      </Group>
    </Stack>
  )
}
