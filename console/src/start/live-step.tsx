import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CreateProjectButton } from '../projects/create-project-button.tsx'
import { zoetrope } from '../shell/api.ts'
import { useCurrentProjectId } from '../shell/current-project.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'

const Values = ({ projectId }: { readonly projectId: number }) => {
  const t = useTexts('start.liveStep')
  const { data: ingest, error } = useQuery({
    queryKey: [...queryKeys.live(projectId), 'first-steps'],
    queryFn: ({ signal }) => zoetrope.live.ingest(projectId, { signal }),
  })
  const { ServerURI = null, StreamName = null } = ingest?.StreamInConnection ?? {}
  return (
    <Stack gap="sm" maw={700}>
      <Text>{t('test')}</Text>
      <CodeBlock code={`./zoetrope live test --project ${projectId}`} />
      <ProblemAlert error={error} />
      {ServerURI !== null && StreamName !== null && (
        <>
          <Text>{t('obs')}</Text>
          <CopyField label={t('server')} value={ServerURI} />
          <CopyField label={t('key')} description={t('secret')} type="password" value={StreamName} />
        </>
      )}
      <Anchor
        renderRoot={(props) => <Link {...props} to="/projects/$projectId/live" params={{ projectId }} />}
      >
        {t('room')}
      </Anchor>
    </Stack>
  )
}

export const LiveStep = () => {
  const t = useTexts('start.liveStep')
  const projectId = useCurrentProjectId()
  if (projectId !== null) return <Values projectId={projectId} />
  return (
    <Stack gap="sm" align="flex-start">
      <Text>{t('noProject')}</Text>
      <CreateProjectButton />
    </Stack>
  )
}
