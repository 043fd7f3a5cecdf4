import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const PullDialog = ({
  projectId,
  isOpen,
  onClose,
}: {
  readonly projectId: number
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('uploads.pullDialog')
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const pull = useMutation({
    mutationFn: async () => {
      for (const SourceURI of linesOf(text)) {
        await zoetrope.files.create(projectId, { SourceURI })
        // After an error, the remaining lines are those not requested yet.
        setText((before) => linesOf(before).slice(1).join('\n'))
      }
    },
    onSuccess: onClose,
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.files(projectId) }),
  })
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    pull.mutate()
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('title')} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <Text>{t('explained')}</Text>
          <Textarea
            label={t('urls')}
            placeholder="https://example.com/film.mp4"
            autosize
            minRows={3}
            maxRows={10}
            required
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <ProblemAlert error={pull.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={pull.isPending}>
              {t('fetch')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
