import { Anchor, Group, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAlertTexts } from '../../analytics/alerts/alert-texts.ts'
import { faultText } from '../../file/file-fault.ts'
import { FileTitle } from '../../library/file-title.tsx'
import { unsuccessful } from '../../notifications/webhook-queries.ts'
import { failureText } from '../../notifications/webhook-trouble.tsx'
import { allProjects } from '../../projects/all-projects.ts'
import { currentLanguage, useTexts } from '../../shell/texts.ts'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'
import {
  failedQuery,
  firingQuery,
  useFullProjects,
  useLiveStreams,
  useTroubledWebhooks,
} from './overview-queries.ts'

const Item = ({
  tone,
  kind,
  title,
  about,
  end,
}: {
  readonly tone: Tone
  readonly kind: string
  readonly title: ReactNode
  readonly about: string
  readonly end?: ReactNode
}) => (
  <li>
    <span className="overview-kind">
      <StatusBadge tone={tone}>{kind}</StatusBadge>
    </span>
    <div className="overview-grow">
      {title}
      <Text size="xs" c="dimmed" className="overview-about" title={about}>
        {about}
      </Text>
    </div>
    {end}
  </li>
)

const title = { size: 'sm', fw: 550, c: 'var(--text)', truncate: true, display: 'block' } as const

const percentOf = (share: number): string =>
  new Intl.NumberFormat(currentLanguage(), { style: 'percent' }).format(share)

/** Firing alerts, failed files, failing webhooks, streams with warnings, and full projects. One line if there are none. */
export const Attention = () => {
  const t = useTexts('start.overview')
  const { data: projects = [] } = useQuery(allProjects)
  const { data: failed, error } = useQuery(failedQuery())
  const failedCount = failed?.TotalCount ?? 0
  const shownFiles = failed?.Files ?? []
  const webhooks = useTroubledWebhooks()
  const streams = useLiveStreams().filter(({ status }) => status !== null && status.Warnings.length > 0)
  const full = useFullProjects()
  const { data: alerts = [] } = useQuery(firingQuery)
  const alertTexts = useAlertTexts()
  const moreFiles = failedCount - shownFiles.length
  const projectName = (id: number): string => projects.find((one) => one.Id === id)?.Name ?? ''
  const isQuiet = alerts.length + failedCount + webhooks.length + streams.length + full.length === 0
  return (
    <div className="overview-wide">
      <Section title={t('attention')}>
        <ProblemAlert error={error} />
        {isQuiet && error === null && (
          <Group gap="xs">
            <IconCircleCheck size={18} color="var(--tone-ok)" aria-hidden />
            <Text size="sm">{t('allGood')}</Text>
          </Group>
        )}
        <ul className="overview-list">
          {alerts.map((alert) => (
            <Item
              key={`alert-${alert.Id}`}
              tone="danger"
              kind={t('alert')}
              title={
                <Anchor
                  {...title}
                  renderRoot={(props) => <Link {...props} to="/analytics" search={{ tab: 'alerts' }} />}
                >
                  {alertTexts.nameOf(alert)}
                </Anchor>
              }
              about={[
                ...(alert.ProjectId === null ? [] : [projectName(alert.ProjectId)]),
                alertTexts.conditionOf(alert),
              ].join(' · ')}
              end={
                <Text size="xs" c="dimmed" className="overview-time">
                  <RelativeTime instant={alert.StateSince} />
                </Text>
              }
            />
          ))}
          {streams.map(({ project, status }) => (
            <Item
              key={`live-${project.Id}`}
              tone="warning"
              kind={t('stream')}
              title={
                <Anchor
                  {...title}
                  renderRoot={(props) => (
                    <Link {...props} to="/projects/$projectId/live" params={{ projectId: project.Id }} />
                  )}
                >
                  {project.Name}
                </Anchor>
              }
              about={t('streamWarnings', { count: status?.Warnings.length ?? 0 })}
            />
          ))}
          {webhooks.map(({ webhook, health }) => (
            <Item
              key={`webhook-${webhook.Id}`}
              tone={health.Status === 'failing' ? 'warning' : 'danger'}
              kind={t('webhook')}
              title={
                <Anchor
                  {...title}
                  renderRoot={(props) => (
                    <Link
                      {...props}
                      to="/notifications/$webhookId"
                      params={{ webhookId: webhook.Id }}
                      search={{ status: unsuccessful }}
                    />
                  )}
                >
                  {webhook.Label || webhook.TargetURL}
                </Anchor>
              }
              about={[t(`webhook_${health.Status}`), failureText(health)].filter(Boolean).join(': ')}
              end={
                health.FailingSince !== null && (
                  <Text size="xs" c="dimmed" className="overview-time">
                    <RelativeTime instant={health.FailingSince} />
                  </Text>
                )
              }
            />
          ))}
          {shownFiles.map((file) => (
            <Item
              key={`file-${file.Id}`}
              tone={file.Status === 'failed' ? 'danger' : 'warning'}
              kind={t('file')}
              title={<FileTitle file={file} />}
              about={[projectName(file.ProjectId), faultText(file)].filter(Boolean).join(' · ')}
              end={
                <Text size="xs" c="dimmed" className="overview-time">
                  <RelativeTime instant={file.LastUpdateAt} />
                </Text>
              }
            />
          ))}
          {full.map(({ id, name, share, quotaBytes }) => (
            <Item
              key={`quota-${id}`}
              tone={share >= 1 ? 'danger' : 'warning'}
              kind={t('quota')}
              title={
                <Anchor {...title} renderRoot={(props) => <Link {...props} to="/usage" />}>
                  {name}
                </Anchor>
              }
              about={t('quotaUsed', { percent: percentOf(share), quota: formatBytes(quotaBytes) })}
            />
          ))}
        </ul>
        {moreFiles > 0 && (
          <Text size="sm" c="dimmed">
            {t('moreFailed', { count: moreFiles, shown: formatNumber(moreFiles) })}
          </Text>
        )}
      </Section>
    </div>
  )
}
