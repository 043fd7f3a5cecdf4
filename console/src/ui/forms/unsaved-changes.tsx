import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTexts } from '../../shell/texts.ts'

const parameterOf = (search: object, name: string | undefined): unknown =>
  name === undefined ? undefined : new Map<string, unknown>(Object.entries(search)).get(name)

let dirtyCount = 0

/** Whether a form on the screen has unsaved changes. */
export const hasUnsavedChanges = (): boolean => dirtyCount > 0

/** Asks for confirmation before the user leaves unsaved changes by a link, by Back or by closing the tab. */
export const UnsavedChanges = ({
  isDirty,
  section,
}: {
  readonly isDirty: boolean
  /** The parameter of the URL that names the open section, if the form is only in one of them. */
  readonly section?: string | undefined
}) => {
  const t = useTexts('ui.unsaved')
  useEffect(() => {
    if (!isDirty) return undefined
    dirtyCount += 1
    return () => {
      dirtyCount -= 1
    }
  }, [isDirty])
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty &&
      (current.pathname !== next.pathname ||
        parameterOf(current.search, section) !== parameterOf(next.search, section)),
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  // A save that ended while the question was open has answered it.
  useEffect(() => {
    if (!isDirty && blocker.status === 'blocked') blocker.proceed()
  }, [isDirty, blocker])
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
