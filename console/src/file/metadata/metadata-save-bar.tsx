import { RecordSaveBar } from '../../ui/forms/record/record-save-bar.tsx'
import { FieldText, useFieldLabel } from './field-text.tsx'
import type { MetadataForm } from './use-metadata-form.ts'

/** Below all sections, so that edits of one section are not forgotten in another. */
export const MetadataSaveBar = ({ form }: { readonly form: MetadataForm }) => (
  <RecordSaveBar
    form={form}
    labelOf={useFieldLabel()}
    renderValue={(name, value) => <FieldText file={form.file} name={name} value={value} />}
    onSave={form.save}
  />
)
