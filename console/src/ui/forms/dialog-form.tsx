import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode, SyntheticEvent } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { ProblemAlert } from '../problem-alert.tsx'

export const DialogForm = ({
  form: { submit, saving, problem },
  action,
  isDanger = false,
  cancel,
  onCancel,
  isReady = true,
  children,
}: {
  readonly form: {
    readonly submit: (event: SyntheticEvent<HTMLFormElement>) => void
    readonly saving: { readonly isPending: boolean }
    readonly problem: unknown
  }
  /** Label of the button: the action, not "OK". */
  readonly action: string
  /** The action destroys something. */
  readonly isDanger?: boolean
  /** Label of the other button, if it does not only cancel. */
  readonly cancel?: string
  readonly onCancel: () => void
  /** False while a value is missing that browser validation does not cover. */
  readonly isReady?: boolean
  readonly children: ReactNode
}) => {
  const t = useTexts('ui.dialogForm')
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <ProblemAlert error={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {cancel ?? t('cancel')}
          </Button>
          <Button
            type="submit"
            {...(isDanger && { color: 'red' })}
            loading={saving.isPending}
            disabled={!isReady}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
