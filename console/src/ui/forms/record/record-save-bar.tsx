import { Button, Group, Text } from '@mantine/core'
import { useTexts } from '../../../shell/texts.ts'
import { SaveBar } from '../save-bar.tsx'
import { ConflictDialog, type FieldNames } from './conflict-dialog.tsx'
import type { RecordEdits } from './use-record-edits.ts'

/** The save bar of a record that others can change meanwhile. */
export const RecordSaveBar = ({
  form,
  isReady,
  problem,
  section,
  onSave,
  ...names
}: FieldNames & {
  readonly form: RecordEdits
  /** False while something must be corrected first. */
  readonly isReady: boolean
  readonly problem: unknown
  /** As for `SaveBar`. */
  readonly section?: string
  /** As for `SaveBar`. */
  readonly onSave?: () => void
}) => {
  const t = useTexts('ui.saveBar')
  const { conflicts } = form
  const count = Object.keys(form.edits).length
  return (
    <>
      <ConflictDialog form={form} {...names} />
      <SaveBar
        isDirty={count > 0}
        isSaving={form.isSaving}
        isReady={isReady}
        problem={problem}
        said={isReady ? t('edits', { count }) : t('invalid')}
        section={section}
        {...(onSave !== undefined && { onSave })}
        onDiscard={form.discard}
      >
        {conflicts.length > 0 && (
          <Group gap="xs" role="alert">
            <Text size="sm">{t('conflict', { count: conflicts.length })}</Text>
            <Button size="xs" variant="default" onClick={() => form.askToResolve(true)}>
              {t('compare')}
            </Button>
          </Group>
        )}
      </SaveBar>
    </>
  )
}
