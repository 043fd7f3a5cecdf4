import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { defineWords } from '../../shell/words.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import type { MetadataForm } from './use-metadata-form.ts'

const useWords = defineWords('file-save', {
  en: {
    save: 'Save',
    discard: 'Discard',
    unsaved_one: 'One unsaved change',
    unsaved_other: '{{count}} unsaved changes',
    saved: 'Saved.',
    conflict_one: 'Somebody else has changed a field that you changed too. Decide there which is to stay.',
    conflict_other:
      'Somebody else has changed {{count}} fields that you changed too. Decide there which are to stay.',
    theirs: 'Take all of theirs',
    mine: 'Keep all of mine',
    invalid: 'Something is not right yet: see the fields marked red.',
  },
  de: {
    save: 'Speichern',
    discard: 'Verwerfen',
    unsaved_one: 'Eine ungespeicherte Änderung',
    unsaved_other: '{{count}} ungespeicherte Änderungen',
    saved: 'Gespeichert.',
    conflict_one: 'Jemand anderes hat ein Feld geändert, das auch Sie geändert haben. Entscheiden Sie dort.',
    conflict_other:
      'Jemand anderes hat {{count}} Felder geändert, die auch Sie geändert haben. Entscheiden Sie dort.',
    theirs: 'Alle übernehmen',
    mine: 'Alle meine behalten',
    invalid: 'Etwas stimmt noch nicht: siehe die rot markierten Felder.',
  },
})

export const SaveBar = ({ form }: { readonly form: MetadataForm }) => {
  const t = useWords()
  const { conflicts, editedNames } = form
  const isEdited = editedNames.length > 0
  return (
    <div className={isEdited ? 'file-save-bar' : ''}>
      <Paper withBorder={isEdited} p={isEdited ? 'sm' : 0} shadow={isEdited ? 'md' : ''}>
        <Stack gap="xs">
          <ProblemAlert error={form.error} />
          {conflicts.length > 0 && (
            <Group gap="xs" role="alert">
              <Text size="sm" fw={500}>
                {t('conflict', { count: conflicts.length })}
              </Text>
              <Button size="compact-sm" variant="default" onClick={() => form.takeTheirs(conflicts)}>
                {t('theirs')}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => form.keepMine(conflicts)}>
                {t('mine')}
              </Button>
            </Group>
          )}
          <Group justify="space-between" gap="xs">
            <Text size="sm" role="status">
              {isEdited && !form.isValid && t('invalid')}
              {isEdited && form.isValid && t('unsaved', { count: editedNames.length })}
              {!isEdited && form.isSaved && t('saved')}
            </Text>
            {isEdited && (
              <Group gap="xs">
                <Button variant="default" onClick={form.discard} disabled={form.isSaving}>
                  {t('discard')}
                </Button>
                <Button
                  onClick={form.save}
                  loading={form.isSaving}
                  disabled={conflicts.length > 0 || !form.isValid}
                >
                  {t('save')}
                </Button>
              </Group>
            )}
          </Group>
        </Stack>
      </Paper>
    </div>
  )
}
