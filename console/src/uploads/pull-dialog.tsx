import { Modal, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { DialogForm } from '../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../ui/forms/use-save-form.ts'

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
  const form = useSaveForm({
    initialValues: { urls: '' },
    save: async ({ urls }, { setFieldValue }) => {
      try {
        for (const SourceURI of linesOf(urls)) {
          await zoetrope.files.create(projectId, { SourceURI })
          // After an error, the remaining lines are those not requested yet.
          setFieldValue('urls', (before) => linesOf(before).slice(1).join('\n'))
        }
      } finally {
        void queryClient.invalidateQueries({ queryKey: queryKeys.files(projectId) })
      }
    },
    onSaved: onClose,
  })
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('title')} size="lg">
      <DialogForm form={form} action={t('fetch')} onCancel={onClose}>
        <Text>{t('explained')}</Text>
        <Textarea
          label={t('urls')}
          placeholder="https://example.com/film.mp4"
          autosize
          minRows={3}
          maxRows={10}
          required
          data-autofocus
          {...form.getInputProps('urls')}
        />
      </DialogForm>
    </Modal>
  )
}
