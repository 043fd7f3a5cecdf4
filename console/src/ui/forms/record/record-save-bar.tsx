import { useTexts } from '../../../shell/texts.ts'
import { SaveBar } from '../save-bar.tsx'
import { ConflictDialog, ConflictNotice, type FieldNames } from './conflict-dialog.tsx'
import type { RecordEdits } from './use-record-edits.ts'

/** The save bar of a record that others can change meanwhile. */
export const RecordSaveBar = ({
  form,
  section,
  onSave,
  obstacle = null,
  ...names
}: FieldNames & {
  readonly form: RecordEdits & {
    readonly isValid: boolean
    /** The error that no field shows. */
    readonly problem: Error | null
  }
  /** As for `SaveBar`. */
  readonly section?: string
  /** As for `SaveBar`. */
  readonly onSave?: () => void
  /** Why nothing can be saved at this time. */
  readonly obstacle?: string | null
}) => {
  const t = useTexts('ui.saveBar')
  const { isValid, problem } = form
  const count = Object.keys(form.edits).length
  return (
    <>
      <ConflictDialog form={form} {...names} />
      <SaveBar
        isDirty={count > 0}
        isSaving={form.isSaving}
        isReady={isValid && obstacle === null}
        problem={problem}
        said={obstacle ?? (isValid ? t('edits', { count }) : t('invalid'))}
        section={section}
        {...(onSave !== undefined && { onSave })}
        onDiscard={form.discard}
      >
        <ConflictNotice form={form} />
      </SaveBar>
    </>
  )
}
