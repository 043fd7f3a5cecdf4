import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode, SubmitEvent } from 'react'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from './problem-alert.tsx'

/** Content of a dialog: fields, error and two buttons. It stays open when the server refuses. */
export const DialogForm = ({
  error,
  isPending,
  action,
  onSubmit,
  onCancel,
  isReady = true,
  children,
}: {
  readonly error: unknown
  readonly isPending: boolean
  /** Label of the button: the action, not "OK". */
  readonly action: string
  readonly onSubmit: () => void
  readonly onCancel: () => void
  /** False while a value is missing that browser validation does not cover. */
  readonly isReady?: boolean
  readonly children: ReactNode
}) => {
  const t = useTexts('ui.dialogForm')
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <ProblemAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!isReady}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
