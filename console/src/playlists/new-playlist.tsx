import { Button, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type SubmitEvent } from 'react'
import { allProjects } from '../projects/all-projects.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { fieldErrors } from '../ui/field-errors.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'

const kinds = ['manual', 'automatic'] as const

/** Asks for the settings that cannot change later, then opens the new playlist. */
export const NewPlaylist = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('playlists.list')
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('create')}>
      <NewPlaylistForm onClose={onClose} />
    </Modal>
  )
}

const NewPlaylistForm = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTexts('playlists.list')
  const navigate = useNavigate()
  const client = useQueryClient()
  const { data: projects = [] } = useQuery(allProjects)
  const [Name, setName] = useState('')
  const [Type, setType] = useState<(typeof kinds)[number]>('manual')
  const [project, setProject] = useState<string | null>(null)
  const create = useMutation({
    mutationFn: () =>
      zoetrope.playlists.create({
        Name,
        Type,
        ProjectId: project === null ? null : Number(project),
        ...(Type === 'automatic' && { Rules: { Limit: 10 } }),
      }),
    onSuccess: async ({ Id }) => {
      await client.invalidateQueries({ queryKey: queryKeys.playlists })
      await navigate({ to: '/playlists/$playlistId', params: { playlistId: Id } })
    },
  })
  const errors = fieldErrors(create.error)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    create.mutate()
  }
  return (
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
        <Radio.Group
          label={t('type')}
          value={Type}
          onChange={(value) => setType(kinds.find((kind) => kind === value) ?? 'manual')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="manual" label={t('manual')} description={t('manualExplained')} />
            <Radio value="automatic" label={t('automatic')} description={t('automaticExplained')} />
          </Stack>
        </Radio.Group>
        <Select
          label={t('project')}
          clearable
          searchable
          placeholder={t('anyProject')}
          value={project}
          error={errors['ProjectId']}
          data={projects.map(({ Id, Name: name }) => ({ value: String(Id), label: name }))}
          onChange={setProject}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
