import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { problemText, useProblemWords } from '../shell/problem-text.ts'
import { defineWords } from '../shell/words.ts'

const useWords = defineWords('undo', {
  en: { undo: 'Undo', undone: 'Undone.' },
  de: { undo: 'Rückgängig machen', undone: 'Rückgängig gemacht.' },
})

/** Long enough to read, and to reach by keyboard. */
const shownMs = 15_000

let nextId = 0

export const useUndo = (): ((said: string, undo: () => Promise<unknown>) => void) => {
  const t = useWords()
  const problemWords = useProblemWords()
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
