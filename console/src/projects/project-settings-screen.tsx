import './project-settings.css'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Screen } from '../ui/screen.tsx'
import { DeleteProject } from './delete-project.tsx'
import { ProjectSettingsForm } from './project-settings-form.tsx'
import { WatermarkSection } from './watermark-section.tsx'

const route = getRouteApi('/inside/projects/$projectId/settings')

export const ProjectSettingsScreen = () => {
  const t = useTexts('projects.settings')
  const { projectId } = route.useParams()
  const can = useCan(projectId)
  const project = useQuery({
    queryKey: queryKeys.project(projectId),
    queryFn: ({ signal }) => zoetrope.projects.get(projectId, { signal }),
  })
  const { data } = project
  const title = t('title', { name: data?.Name ?? '…' })
  if (!can('projects:write'))
    return (
      <Screen title={title}>
        <Text>{t('readOnly')}</Text>
      </Screen>
    )
  return (
    <Screen title={title}>
      <ProblemAlert error={project.error} onRetry={() => void project.refetch()} />
      {project.isPending && <Skeleton h={400} />}
      {data !== undefined && (
        <Stack maw={960}>
          <ProjectSettingsForm key={data.Id} project={data} />
          <WatermarkSection projectId={projectId} />
          <DeleteProject project={data} />
        </Stack>
      )}
    </Screen>
  )
}
