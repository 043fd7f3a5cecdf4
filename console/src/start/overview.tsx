import { Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { allProjects } from '../projects/all-projects.ts'
import { CreateProjectButton } from '../projects/create-project-button.tsx'
import { zoetrope } from '../shell/api.ts'
import { useCan } from '../shell/session.ts'
import { useCurrentProjectId } from '../shell/current-project.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { FileLink } from '../ui/file-link.tsx'
import { formatAgo, formatBytes, formatNumber } from '../ui/format.ts'
import { ListSkeleton } from '../ui/lists/list-skeleton.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Section } from '../ui/section.tsx'

const shownFiles = 5

const Files = ({
  projectId,
  title,
  none,
  hasErrors,
}: {
  readonly projectId: number
  readonly title: string
  readonly none: string
  readonly hasErrors: boolean
}) => {
  const query = hasErrors ? { limit: shownFiles, hasErrors } : { limit: shownFiles }
  const { data, error, isPending } = useQuery({
    queryKey: [...queryKeys.files(projectId), 'overview', query],
    queryFn: async ({ signal }) => zoetrope.files.list(projectId, query, { signal }),
  })
  return (
    <Section title={title}>
      <ProblemAlert error={error} />
      {isPending && <ListSkeleton rows={shownFiles} rowHeight={22} />}
      {data?.Files.length === 0 && <Text size="sm">{none}</Text>}
      <Stack gap={4}>
        {data?.Files.map((file) => (
          <Group key={file.Id} justify="space-between" wrap="nowrap" gap="xs">
            <FileLink projectId={projectId} fileId={file.Id} truncate>
              {file.Metadata.Title || file.Name}
            </FileLink>
            <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {formatAgo(file.CreatedAt)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  )
}

const LiveNow = () => {
  const t = useTexts('start.overview')
  const { data: projects = [] } = useQuery(allProjects)
  const live = projects.filter(({ IsLive }) => IsLive)
  return (
    <Section title={t('liveNow')}>
      {live.length === 0 && <Text size="sm">{t('nobodyLive')}</Text>}
      <Stack gap={4}>
        {live.map(({ Id, Name }) => (
          <Anchor
            key={Id}
            renderRoot={(props) => (
              <Link {...props} to="/projects/$projectId/live" params={{ projectId: Id }} />
            )}
          >
            {Name}
          </Anchor>
        ))}
      </Stack>
    </Section>
  )
}

const Queue = () => {
  const t = useTexts('start.overview')
  const { data, error } = useQuery({
    queryKey: [...queryKeys.events, 'overview-queue'],
    queryFn: async ({ signal }) => zoetrope.usage.listEncodings({ limit: 1 }, { signal }),
  })
  const count = data?.TotalCount ?? 0
  return (
    <Section
      title={t('queue')}
      actions={<Anchor renderRoot={(props) => <Link {...props} to="/queue" />}>{t('queueAll')}</Anchor>}
    >
      <ProblemAlert error={error} />
      <Text size="sm">
        {count === 0 ? t('nothingQueued') : t('queued', { count, shown: formatNumber(count) })}
      </Text>
    </Section>
  )
}

const Storage = () => {
  const t = useTexts('start.overview')
  const { data: projects = [] } = useQuery(allProjects)
  const sum = (of: (project: (typeof projects)[number]) => number): number =>
    projects.reduce((total, project) => total + of(project), 0)
  const files = sum(({ FileCount }) => FileCount)
  return (
    <Section
      title={t('storage')}
      actions={<Anchor renderRoot={(props) => <Link {...props} to="/usage" />}>{t('usage')}</Anchor>}
    >
      <Text size="sm">
        {t('kept', {
          count: files,
          size: formatBytes(sum(({ StorageBytes }) => StorageBytes)),
          files: formatNumber(files),
        })}
      </Text>
    </Section>
  )
}

/** Overview for daily use, limited to values that the API returns cheaply. */
export const Overview = () => {
  const t = useTexts('start.overview')
  const projectId = useCurrentProjectId()
  const can = useCan()
  const { data: projects } = useQuery(allProjects)
  const project = projects?.find(({ Id }) => Id === projectId)?.Name ?? ''
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} maw={1400}>
      {projects?.length === 0 && (
        <Section title={t('noProject')}>
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{can('projects:write') ? t('noProjectText') : t('noProjectReader')}</Text>
            <CreateProjectButton />
          </Stack>
        </Section>
      )}
      {projectId !== null && (
        <>
          <Files
            projectId={projectId}
            title={t('recent', { project })}
            none={t('noFiles')}
            hasErrors={false}
          />
          <Files projectId={projectId} title={t('failed', { project })} none={t('noFailures')} hasErrors />
        </>
      )}
      <LiveNow />
      <Queue />
      <Storage />
    </SimpleGrid>
  )
}
