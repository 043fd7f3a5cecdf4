import { Anchor, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../shell/texts.ts'
import { FileLink } from '../../ui/file-link.tsx'
import { formatNumber } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { queueQuery } from './overview-queries.ts'

export const QueueCard = () => {
  const t = useTexts('start.overview')
  const { data, error } = useQuery(queueQuery)
  const count = data?.TotalCount ?? 0
  return (
    <Section
      title={t('queue')}
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/queue" />}>
          {t('queueAll')}
        </Anchor>
      }
    >
      <ProblemAlert error={error} />
      <Text size="sm" {...(count === 0 && { c: 'dimmed' })}>
        {count === 0 ? t('nothingQueued') : t('queued', { count, shown: formatNumber(count) })}
      </Text>
      <ul className="overview-list">
        {data?.Encodings.map(({ ProjectId, FileId, Title, EncodingProgress, State }) => (
          <li key={FileId}>
            <div className="overview-grow">
              <FileLink
                projectId={ProjectId}
                fileId={FileId}
                size="sm"
                c="var(--text)"
                truncate
                display="block"
              >
                {Title}
              </FileLink>
              <Progress
                mt={4}
                size={4}
                value={EncodingProgress}
                animated={State === 'running'}
                aria-label={t('progressOf', { title: Title })}
              />
            </div>
            <Text size="xs" c="dimmed">
              {EncodingProgress} %
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  )
}
