import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode, SubmitEvent } from 'react'
import { defineWords } from '../shell/words.ts'
import { ProblemAlert } from './problem-alert.tsx'

const useWords = defineWords('dialog-form', {
  en: { cancel: 'Cancel' },
  de: { cancel: 'Abbrechen' },
})

/** What stands in a dialog: fields, what went wrong, and the two ways out. It stays as it is when the server refuses. */
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
  /** What the button says: the act itself, not "OK". */
  readonly action: string
  readonly onSubmit: () => void
  readonly onCancel: () => void
  /** False as long as something is missing that no field of the browser asks for. */
  readonly isReady?: boolean
  readonly children: ReactNode
}) => {
  const t = useWords()
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
