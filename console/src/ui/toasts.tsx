import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { problemText } from '../shell/problem-text.ts'
import { useTexts } from '../shell/texts.ts'

/** Long enough to read, and to reach by keyboard. */
const undoMs = 15_000
const doneMs = 5_000

let nextId = 0

export interface Toasts {
  /** Confirms an action: "Saved." */
  readonly done: (said: string) => void
  /** Shows an error until it is closed. */
  readonly failed: (error: unknown) => void
  /** Confirms an action and offers to undo it. */
  readonly undoable: (said: string, undo: () => Promise<unknown>) => void
}

/** Short messages in the corner. Errors of a form belong beside its fields, not here. */
export const useToasts = (): Toasts => {
  const t = useTexts('ui.undo')
  const problemWords = useTexts('ui.problem')
  const problemOf = (error: unknown) => ({
    message: problemText(problemWords, error),
    color: 'red',
    role: 'alert',
    autoClose: false as const,
  })
  const press = async (id: string, undo: () => Promise<unknown>): Promise<void> => {
    try {
      await undo()
      notifications.update({ id, message: t('undone'), autoClose: doneMs })
    } catch (error) {
      notifications.update({ id, ...problemOf(error) })
    }
  }
  return {
    done: (said) => notifications.show({ message: said, autoClose: doneMs }),
    failed: (error) => notifications.show(problemOf(error)),
    undoable: (said, undo) => {
      nextId += 1
      const id = `undo-${nextId}`
      let isPressed = false
      // A double click must not undo twice.
      const pressOnce = (): void => {
        if (!isPressed) void press(id, undo)
        isPressed = true
      }
      notifications.show({
        id,
        autoClose: undoMs,
        message: (
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm">{said}</Text>
            <Button size="xs" variant="default" onClick={pressOnce}>
              {t('undo')}
            </Button>
          </Group>
        ),
      })
    },
  }
}
