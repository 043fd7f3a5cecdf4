import type { MediaFile } from '@zoetrope/sdk'
import { FileInput, Modal, Progress, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { DialogForm } from '../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../ui/forms/use-save-form.ts'

const noSource: { source: File | null } = { source: null }

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
  const [percent, setPercent] = useState(0)
  const controller = useRef<AbortController | null>(null)
  const form = useSaveForm({
    initialValues: noSource,
    save: async ({ source }) => {
      if (source === null) return
      const { signal } = (controller.current = new AbortController())
      setPercent(0)
      const replaced = await zoetrope.files.replace(file.ProjectId, file.Id, source, {
        signal,
        onProgress: ({ sentBytes, totalBytes }) =>
          setPercent(Math.floor((100 * sentBytes) / Math.max(totalBytes ?? sentBytes, 1))),
      })
      queryClient.setQueryData(queryKeys.file(file.ProjectId, file.Id), replaced)
    },
    onSaved: () => {
      form.reset()
      onClose()
    },
  })
  const { saving, values } = form
  const stop = (): void => {
    controller.current?.abort()
    saving.reset()
  }
  const close = (): void => {
    if (!saving.isPending) onClose()
  }
  return (
    <Modal opened={isOpen} onClose={close} title={t('title')} withCloseButton={!saving.isPending}>
      <DialogForm
        form={form}
        action={t('start')}
        cancel={t(saving.isPending ? 'stop' : 'close')}
        onCancel={saving.isPending ? stop : onClose}
        isReady={values.source !== null}
      >
        <Text>{t('text')}</Text>
        <FileInput
          label={t('file')}
          placeholder={t('choose')}
          accept="video/*,audio/*"
          disabled={saving.isPending}
          {...form.getInputProps('source')}
        />
        {saving.isPending && (
          <div>
            <Progress value={percent} aria-label={t('sent', { percent })} />
            <Text size="sm" mt={4} role="status">
              {t('sent', { percent })}
            </Text>
          </div>
        )}
      </DialogForm>
    </Modal>
  )
}
