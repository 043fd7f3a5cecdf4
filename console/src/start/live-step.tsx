import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CreateProjectButton } from '../projects/create-project-button.tsx'
import { zoetrope } from '../shell/api.ts'
import { useCurrentProjectId } from '../shell/current-project.ts'
import { queryKeys } from '../shell/query.ts'
import { defineWords } from '../shell/words.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'

const useWords = defineWords('live-step', {
  en: {
    test: 'A test pattern with a clock and a tone, sent by the command line:',
    obs: 'Or your own picture. In OBS under Settings, Stream, choose the service “Custom…” and enter:',
    server: 'Server',
    key: 'Stream key',
    secret: 'Who has the key can send: treat it as a password.',
    room: 'Go to the live room, which shows the picture',
    noProject: 'Create a project first.',
  },
  de: {
    test: 'Ein Testbild mit Uhr und Ton, gesendet von der Kommandozeile:',
    obs: 'Oder Ihr eigenes Bild. Wählen Sie in OBS unter Einstellungen, Stream, den Dienst „Benutzerdefiniert …“ und tragen Sie ein:',
    server: 'Server',
    key: 'Streamschlüssel',
    secret: 'Wer den Schlüssel hat, kann senden: Behandeln Sie ihn wie ein Passwort.',
    room: 'Zum Live-Raum, der das Bild zeigt',
    noProject: 'Legen Sie zuerst ein Projekt an.',
  },
})

const Values = ({ projectId }: { readonly projectId: number }) => {
  const t = useWords()
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
  const t = useWords()
  const projectId = useCurrentProjectId()
  if (projectId !== null) return <Values projectId={projectId} />
  return (
    <Stack gap="sm" align="flex-start">
      <Text>{t('noProject')}</Text>
      <CreateProjectButton />
    </Stack>
  )
}
