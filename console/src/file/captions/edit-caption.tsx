import { metaOf, type MediaFile } from '@zoetrope/sdk'
import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { ConflictDialog, ConflictNotice } from '../../ui/forms/record/conflict-dialog.tsx'
import { useRecordForm } from '../../ui/forms/record/use-record-form.ts'
import { languageName } from '../languages.ts'
import { CaptionFields } from './caption-fields.tsx'
import { bodyOf, valuesOf, type CaptionValues, type OpenCaption } from './caption-values.ts'
import { TextDifference } from './text-difference.tsx'

const labels = {
  Language: 'language',
  Label: 'label',
  Kind: 'kind',
  IsDefault: 'isDefault',
  Content: 'text',
} as const satisfies Record<keyof CaptionValues, string>

export const EditCaption = ({
  file,
  caption,
  lost,
  reload,
  onEdits,
  onClose,
}: {
  readonly file: MediaFile
  readonly caption: OpenCaption
  /** Loads the captions again, which become `caption`. */
  readonly reload: () => Promise<OpenCaption>
  /** Says that another user has deleted the file. Null = the file is there. */
  readonly lost: ReactNode
  readonly onEdits: (areThere: boolean) => void
  readonly onClose: () => void
}) => {
  const t = useTexts('file.captionForm')
  const queryClient = useQueryClient()
  const form = useRecordForm({
    record: caption,
    valuesOf,
    etagOf: ({ record }) => metaOf(record)?.etag,
    reload,
    update: async ({ after, changed }, options) => {
      const body = bodyOf(changed, after.Kind)
      const record = await zoetrope.captions.update(file.ProjectId, file.Id, caption.record.Id, body, options)
      return { record, text: after.Content }
    },
    store: async () => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.file(file.ProjectId, file.Id) })
      onClose()
    },
  })
  const isEdited = Object.keys(form.edits).length > 0
  useEffect(() => {
    onEdits(isEdited)
    return () => onEdits(false)
  }, [isEdited, onEdits])
  const renderValue = (name: string, value: unknown) => {
    if (name === 'Language') return languageName(String(value))
    if (name === 'Kind') return t(value as CaptionValues['Kind'])
    if (name === 'IsDefault') return t(value === true ? 'yes' : 'no')
    if (name !== 'Content') return String(value)
    const other = [form.edits['Content']?.value, form.fields['Content']].find((one) => one !== value)
    return <TextDifference text={String(value)} other={String(other)} />
  }
  return (
    <>
      <ConflictDialog
        form={form}
        labelOf={(name) => t(labels[name as keyof CaptionValues])}
        renderValue={renderValue}
      />
      {/* One dialog at a time. */}
      <Modal
        opened={!form.isResolving}
        onClose={onClose}
        title={t('edit')}
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={!isEdited}
      >
        <DialogForm
          form={{ submit: form.submit, saving: { isPending: form.isSaving }, problem: form.problem }}
          action={t('save')}
          isReady={isEdited && lost === null}
          onCancel={onClose}
        >
          {lost}
          <CaptionFields form={form} />
          <ConflictNotice form={form} />
        </DialogForm>
      </Modal>
    </>
  )
}
