import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Project } from '@zoetrope/sdk'
import { useState, type SubmitEvent } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { formatNumber } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Section } from '../ui/section.tsx'
import { useUndo } from '../ui/undo.tsx'

export const DeleteProject = ({ project }: { readonly project: Project }) => {
  const t = useTexts('projects.deleteProject')
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
