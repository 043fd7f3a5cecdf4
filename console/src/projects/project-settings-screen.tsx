import './project-settings.css'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { projectQuery } from '../file/file-query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Screen } from '../ui/screen.tsx'
import { ProjectSettingsForm } from './project-settings-form.tsx'

const route = getRouteApi('/inside/projects/$projectId/settings')

export const ProjectSettingsScreen = () => {
  const t = useTexts('projects.settings')
  const { projectId } = route.useParams()
  const can = useCan(projectId)
  const project = useQuery(projectQuery(projectId))
  const { data } = project
  const head = {
    title: t('title'),
    crumbs: [{ label: data?.Name ?? '…', to: `/projects/${projectId}/files` }],
  }
  if (!can('projects:write'))
    return (
      <Screen {...head}>
        <Text>{t('readOnly')}</Text>
      </Screen>
    )
  return (
    <Screen {...head}>
      {project.error !== null && data === undefined && (
        <ErrorState error={project.error} onRetry={() => void project.refetch()} />
      )}
      {project.isPending && <Skeleton h={400} maw="64rem" />}
      {data !== undefined && <ProjectSettingsForm key={data.Id} project={data} />}
    </Screen>
  )
}
