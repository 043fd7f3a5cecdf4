import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type SubmitEvent } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { fieldErrors } from '../ui/field-errors.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { ReleaseSelect, type ReleaseStatus } from '../ui/release-status.tsx'

/** Asks for the most important settings; only the name is required. */
export const NewProjectDialog = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('projects.list')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [Name, setName] = useState('')
  const [Description, setDescription] = useState('')
  const [DefaultReleaseStatus, setRelease] = useState<ReleaseStatus>('unpublished')
  const create = useMutation({
    mutationFn: () => zoetrope.projects.create({ Name, Description, DefaultReleaseStatus }),
    onSuccess: async ({ Id }) => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects })
      onClose()
      await navigate({ to: '/projects/$projectId/files', params: { projectId: Id } })
    },
  })
  const errors = fieldErrors(create.error)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('create')}>
      <form onSubmit={submit}>
        <Stack>
          <ProblemAlert error={create.error} />
          <TextInput
            label={t('name')}
            required
            maxLength={255}
            data-autofocus
            value={Name}
            error={errors['Name']}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label={t('description')}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={10_000}
            value={Description}
            error={errors['Description']}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <ReleaseSelect label={t('releaseOfNew')} value={DefaultReleaseStatus} onChange={setRelease} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('createAct')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
