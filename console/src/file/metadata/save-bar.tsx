import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import type { MetadataForm } from './use-metadata-form.ts'

export const SaveBar = ({ form }: { readonly form: MetadataForm }) => {
  const t = useTexts('file.save')
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
