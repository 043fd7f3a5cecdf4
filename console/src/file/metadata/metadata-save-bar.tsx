import { useTexts } from '../../shell/texts.ts'
import { RecordSaveBar } from '../../ui/forms/record/record-save-bar.tsx'
import { FieldText, useFieldLabel } from './field-text.tsx'
import type { MetadataForm } from './use-metadata-form.ts'

/** Below all sections, so that edits of one section are not forgotten in another. */
export const MetadataSaveBar = ({
  form,
  isGone,
}: {
  readonly form: MetadataForm
  /** A deleted file cannot be saved. */
  readonly isGone: boolean
}) => {
  const t = useTexts('file.deleted')
  return (
    <RecordSaveBar
      form={form}
      labelOf={useFieldLabel()}
      renderValue={(name, value) => <FieldText file={form.file} name={name} value={value} />}
      onSave={form.save}
      obstacle={isGone ? t('obstacle') : null}
    />
  )
}
