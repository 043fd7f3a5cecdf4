import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FileStatus } from '../../library/file-status.tsx'
import { FileTitle, titleOf } from '../../library/file-title.tsx'
import { Thumb } from '../../library/thumb.tsx'
import { allProjects } from '../../projects/all-projects.ts'
import { useTexts } from '../../shell/texts.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { recentQuery } from './overview-queries.ts'

export const RecentFiles = () => {
  const t = useTexts('start.overview')
  const { data: projects = [] } = useQuery(allProjects)
  const { data, error } = useQuery(recentQuery)
  const nameOf = (id: number): string => projects.find(({ Id }) => Id === id)?.Name ?? ''
  return (
    <div className="overview-wide">
      <Section title={t('recent')}>
        <ProblemAlert error={error} />
        {data?.Files.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('noFiles')}
          </Text>
        )}
        <ul className="overview-files">
          {data?.Files.map((file) => (
            <li key={file.Id}>
              <Thumb file={file} withLength />
              <Group gap={0} mt="xs" wrap="nowrap">
                <FileTitle file={file} />
              </Group>
              <Text size="xs" c="dimmed" truncate title={nameOf(file.ProjectId)}>
                {nameOf(file.ProjectId)}
              </Text>
              <Text size="xs" c="dimmed">
                <RelativeTime instant={file.CreatedAt} />
              </Text>
              {file.Status !== 'finished' && <FileStatus file={file} name={titleOf(file)} />}
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}
