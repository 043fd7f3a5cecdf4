import type { MediaFile } from '@zoetrope/sdk'
import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { CaptionFields } from './caption-fields.tsx'
import { bodyOf, type CaptionValues } from './caption-values.ts'

export const NewCaption = ({
  file,
  lost,
  onEdits,
  onClose,
}: {
  readonly file: MediaFile
  /** Says that another user has deleted the file. Null = the file is there. */
  readonly lost: ReactNode
  readonly onEdits: (areThere: boolean) => void
  readonly onClose: () => void
}) => {
  const t = useTexts('file.captionForm')
  const queryClient = useQueryClient()
  const initialValues: CaptionValues = {
    ...{ Language: '', Label: '', Kind: 'subtitles', Content: '' },
    IsDefault: file.Captions.every((one) => one.Kind === 'chapters'),
  }
  const form = useSaveForm({
    initialValues,
    save: (values) => zoetrope.captions.create(file.ProjectId, file.Id, bodyOf(values, values.Kind)),
    onSaved: async () => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.file(file.ProjectId, file.Id) })
      onClose()
    },
  })
  const isEdited = form.isDirty()
  useEffect(() => {
    onEdits(isEdited)
    return () => onEdits(false)
  }, [isEdited, onEdits])
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('add')}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={form.fields.values.Content === ''}
    >
      <DialogForm form={form} action={t('save')} isReady={lost === null} onCancel={onClose}>
        {lost}
        <CaptionFields form={form.fields} />
      </DialogForm>
    </Modal>
  )
}
