import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode, SyntheticEvent } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { ProblemAlert } from '../problem-alert.tsx'

export const DialogForm = ({
  form: { submit, saving },
  action,
  onCancel,
  isReady = true,
  children,
}: {
  readonly form: {
    readonly submit: (event: SyntheticEvent<HTMLFormElement>) => void
    readonly saving: { readonly error: unknown; readonly isPending: boolean }
  }
  /** Label of the button: the action, not "OK". */
  readonly action: string
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
        <ProblemAlert error={saving.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={!isReady}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
