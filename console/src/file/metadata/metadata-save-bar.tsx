import { Button, Group, Text } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { SaveBar } from '../../ui/save-bar.tsx'
import type { MetadataForm } from './use-metadata-form.ts'

/** Below all sections, so that edits of one section are not forgotten in another. */
export const MetadataSaveBar = ({ form }: { readonly form: MetadataForm }) => {
  const t = useTexts('file.save')
  const { conflicts, editedNames, isValid } = form
  return (
    <SaveBar
      isDirty={editedNames.length > 0}
      isSaving={form.isSaving}
      isReady={isValid}
      problem={form.error}
      said={isValid ? t('unsaved', { count: editedNames.length }) : t('invalid')}
      onSave={form.save}
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
  )
}
