import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from './problem-alert.tsx'

/** Confirms an irreversible action. Stays open with the error when the action fails. */
export const Confirm = ({
  isOpen,
  onClose,
  title,
  text,
  action,
  onConfirm,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly text: string
  /** Label of the button: the action, not "OK". */
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
}) => {
  const t = useTexts('ui.confirm')
  const confirm = useMutation({
    mutationFn: onConfirm,
    onSuccess: () => {
      onClose()
      // For `row-focus.ts`, which is no part of the first load.
      dispatchEvent(new Event('confirmed'))
    },
  })
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Stack>
        <Text>{text}</Text>
        <ProblemAlert error={confirm.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('cancel')}
          </Button>
          <Button color="red" loading={confirm.isPending} onClick={() => confirm.mutate()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
