import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { problemText } from '../shell/problem-text.ts'
import { useTexts } from '../shell/texts.ts'

/** Long enough to read, and to reach by keyboard. */
const shownMs = 15_000

let nextId = 0

export const useUndo = (): ((said: string, undo: () => Promise<unknown>) => void) => {
  const t = useTexts('ui.undo')
  const problemWords = useTexts('problems.general')
  return (said, undo) => {
    const press = async (id: string): Promise<void> => {
      try {
        await undo()
        notifications.update({ id, message: t('undone'), autoClose: 4_000 })
      } catch (error) {
        notifications.update({
          id,
          message: problemText(problemWords, error),
          color: 'red',
          autoClose: false,
        })
      }
    }
    nextId += 1
    const id = `undo-${nextId}`
    notifications.show({
      id,
      autoClose: shownMs,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{said}</Text>
          <Button size="xs" variant="default" onClick={() => void press(id)}>
            {t('undo')}
          </Button>
        </Group>
      ),
    })
  }
}
