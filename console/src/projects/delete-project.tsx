import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Project } from '@zoetrope/sdk'
import { useState, type SubmitEvent } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { defineWords } from '../shell/words.ts'
import { formatNumber } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Section } from '../ui/section.tsx'
import { useUndo } from '../ui/undo.tsx'

const useWords = defineWords('delete-project', {
  en: {
    section: 'Delete',
    explained: 'A deleted project can be restored, with its files, until the retention time is over.',
    open: 'Delete this project',
    title: 'Delete “{{name}}”?',
    emptyText: 'The project has no files.',
    text_one: 'Its file stops playing at once, wherever it is embedded, and so does its live stream.',
    text_other:
      'Its {{shown}} files stop playing at once, wherever they are embedded, and so does its live stream.',
    type: 'Type the name of the project to delete its files too',
    delete: 'Delete',
    cancel: 'Cancel',
    done: 'The project “{{name}}” is deleted.',
  },
  de: {
    section: 'Löschen',
    explained:
      'Ein gelöschtes Projekt lässt sich mit seinen Dateien wiederherstellen, bis die Aufbewahrungszeit um ist.',
    open: 'Dieses Projekt löschen',
    title: '„{{name}}“ löschen?',
    emptyText: 'Das Projekt hat keine Dateien.',
    text_one:
      'Seine Datei ist sofort nicht mehr abspielbar, wo immer sie eingebettet ist, ebenso der Livestream.',
    text_other:
      'Seine {{shown}} Dateien sind sofort nicht mehr abspielbar, wo immer sie eingebettet sind, ebenso der Livestream.',
    type: 'Geben Sie den Namen des Projekts ein, um auch seine Dateien zu löschen',
    delete: 'Löschen',
    cancel: 'Abbrechen',
    done: 'Das Projekt „{{name}}“ ist gelöscht.',
  },
})

export const DeleteProject = ({ project }: { readonly project: Project }) => {
  const t = useWords()
  const { Id, Name, FileCount } = project
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const offerUndo = useUndo()
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const hasFiles = FileCount > 0
  const remove = useMutation({
    mutationFn: () => zoetrope.projects.delete(Id, hasFiles ? { cascade: true } : undefined),
    onSuccess: async () => {
      offerUndo(t('done', { name: Name }), async () => {
        await zoetrope.projects.restore(Id)
        await queryClient.invalidateQueries({ queryKey: queryKeys.projects })
      })
      await navigate({ to: '/projects' })
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects })
    },
  })
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (!hasFiles || typed.trim() === Name.trim()) remove.mutate()
  }
  return (
    <Section title={t('section')}>
      <Text size="sm" c="dimmed">
        {t('explained')}
      </Text>
      <Button
        color="red"
        variant="outline"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setIsOpen(true)}
      >
        {t('open')}
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={t('title', { name: Name })}>
        <form onSubmit={submit}>
          <Stack>
            <Text>
              {hasFiles ? t('text', { count: FileCount, shown: formatNumber(FileCount) }) : t('emptyText')}{' '}
              {t('explained')}
            </Text>
            {hasFiles && (
              <TextInput
                label={t('type')}
                data-autofocus
                autoComplete="off"
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            )}
            <ProblemAlert error={remove.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setIsOpen(false)}>
                {t('cancel')}
              </Button>
              <Button
                type="submit"
                color="red"
                loading={remove.isPending}
                disabled={hasFiles && typed.trim() !== Name.trim()}
              >
                {t('delete')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </Section>
  )
}
