import type { MediaFile } from '@zoetrope/sdk'
import { Button, FileInput, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'

export const ReplaceSource = ({
  file,
  isOpen,
  onClose,
}: {
  readonly file: MediaFile
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('file.replace')
  const queryClient = useQueryClient()
  const [source, setSource] = useState<File | null>(null)
  const [percent, setPercent] = useState(0)
  const [isStopped, setIsStopped] = useState(false)
  const controller = useRef<AbortController | null>(null)
  const replace = useMutation({
    mutationFn: (input: File) => {
      const { signal } = (controller.current = new AbortController())
      setPercent(0)
      setIsStopped(false)
      return zoetrope.files.replace(file.ProjectId, file.Id, input, {
        signal,
        onProgress: ({ sentBytes, totalBytes }) =>
          setPercent(Math.floor((100 * sentBytes) / Math.max(totalBytes ?? sentBytes, 1))),
      })
    },
    onSuccess: (replaced) => {
      queryClient.setQueryData(queryKeys.file(file.ProjectId, file.Id), replaced)
      setSource(null)
      onClose()
    },
  })
  const stop = (): void => {
    setIsStopped(true)
    controller.current?.abort()
  }
  const close = (): void => {
    if (!replace.isPending) onClose()
  }
  return (
    <Modal opened={isOpen} onClose={close} title={t('title')} withCloseButton={!replace.isPending}>
      <Stack>
        <Text>{t('text')}</Text>
        <ProblemAlert error={isStopped ? null : replace.error} />
        <FileInput
          label={t('file')}
          placeholder={t('choose')}
          accept="video/*,audio/*"
          value={source}
          disabled={replace.isPending}
          onChange={setSource}
        />
        {replace.isPending && (
          <div>
            <Progress value={percent} aria-label={t('sent', { percent })} />
            <Text size="sm" mt={4} role="status">
              {t('sent', { percent })}
            </Text>
          </div>
        )}
        <Group justify="flex-end">
          {replace.isPending ? (
            <Button variant="default" onClick={stop}>
              {t('stop')}
            </Button>
          ) : (
            <Button variant="default" onClick={onClose}>
              {t('close')}
            </Button>
          )}
          <Button
            loading={replace.isPending}
            disabled={source === null}
            onClick={() => source !== null && replace.mutate(source)}
          >
            {t('start')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
