import { Select } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useProjectChoices } from '../../projects/all-projects.ts'
import { useTexts } from '../texts.ts'

export const ProjectSwitcher = ({ projectId }: { readonly projectId: number }) => {
  const t = useTexts('shell.navigation')
  const projects = useProjectChoices()
  const navigate = useNavigate()
  return (
    <Select
      aria-label={t('project')}
      className="nav-project"
      searchable
      allowDeselect={false}
      rightSection={<IconSelector size={14} aria-hidden />}
      nothingFoundMessage={t('noProject')}
      value={String(projectId)}
      data={projects}
      onChange={(id) => {
        if (id !== null)
          void navigate({ to: '/projects/$projectId/files', params: { projectId: Number(id) } })
      }}
    />
  )
}
