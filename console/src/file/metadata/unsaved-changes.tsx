import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../../shell/texts.ts'

/** Asks for confirmation before the user leaves unsaved changes by a link, by Back or by closing the tab. */
export const UnsavedChanges = ({ isDirty }: { readonly isDirty: boolean }) => {
  const t = useTexts('file.unsaved')
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  return (
    <Modal opened={blocker.status === 'blocked'} onClose={() => blocker.reset?.()} title={t('title')}>
      <Stack>
        <Text>{t('text')}</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={() => blocker.reset?.()}>
            {t('stay')}
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            {t('leave')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
