import type { MediaFile, Project } from '@zoetrope/sdk'
import { Alert, Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { defineWords } from '../shell/words.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { formatTime } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { playoutQuery } from './file-query.ts'

const useWords = defineWords('file-playout', {
  en: {
    public: 'Public addresses',
    notPlayable: 'Addresses appear as soon as the file can be played.',
    notPublished: 'They answer 404 until the file is published.',
    tokenSecurity:
      'This project asks for signed links: without a signature they answer 403. Sign some below.',
    domains: 'The player page may be framed by: {{domains}}.',
    anyDomain: 'The player page may be framed by every site.',
    signed: 'Signed links',
    signedText: 'For one viewer or one page; they show what viewers may see, until their time is over.',
    valid: 'They work for',
    hour: '1 hour',
    hours: '4 hours',
    day: '1 day',
    week: '7 days',
    sign: 'Sign',
    until: 'They work until {{when}}.',
    preview: 'Preview',
    previewText: 'For colleagues: plays it whatever its release status, until {{when}}.',
    player: 'Player page',
    download: 'MP4 download',
    storyboard: 'Storyboard (WebVTT)',
  },
  de: {
    public: 'Öffentliche Adressen',
    notPlayable: 'Adressen erscheinen, sobald die Datei abspielbar ist.',
    notPublished: 'Sie antworten mit 404, bis die Datei veröffentlicht ist.',
    tokenSecurity:
      'Dieses Projekt verlangt signierte Links: Ohne Signatur antworten sie mit 403. Signieren Sie unten welche.',
    domains: 'Die Player-Seite dürfen einbetten: {{domains}}.',
    anyDomain: 'Die Player-Seite darf jede Website einbetten.',
    signed: 'Signierte Links',
    signedText:
      'Für einen Zuschauer oder eine Seite; sie zeigen, was Zuschauer sehen dürfen, bis ihre Zeit um ist.',
    valid: 'Sie gelten',
    hour: '1 Stunde',
    hours: '4 Stunden',
    day: '1 Tag',
    week: '7 Tage',
    sign: 'Signieren',
    until: 'Sie gelten bis {{when}}.',
    preview: 'Vorschau',
    previewText: 'Für Kollegen: spielt es unabhängig von der Veröffentlichung, bis {{when}}.',
    player: 'Player-Seite',
    download: 'MP4-Download',
    storyboard: 'Storyboard (WebVTT)',
  },
})

interface Links {
  readonly HLS: string | null
  readonly DASH: string | null
  readonly MP4: string | null
  readonly EmbedURI: string | null
  readonly Storyboard: string | null
}

const LinkFields = ({ links }: { readonly links: Links }) => {
  const t = useWords()
  const shown = [
    ['HLS', links.HLS],
    ['DASH', links.DASH],
    [t('download'), links.MP4],
    [t('player'), links.EmbedURI],
    [t('storyboard'), links.Storyboard],
  ] as const
  return (
    <Stack gap="xs">
      {shown.map(([label, value]) => value !== null && <CopyField key={label} label={label} value={value} />)}
    </Stack>
  )
}

const periods = { hour: 3_600, hours: 14_400, day: 86_400, week: 604_800 } as const
type Period = keyof typeof periods
const isPeriod = (value: string | null): value is Period => value !== null && Object.hasOwn(periods, value)

const SignedLinks = ({ file }: { readonly file: MediaFile }) => {
  const t = useWords()
  const [period, setPeriod] = useState<Period>('hours')
  const sign = useMutation({
    mutationFn: () => zoetrope.files.signPlayout(file.ProjectId, file.Id, { ValidSeconds: periods[period] }),
  })
  return (
    <Stack gap="xs">
      <Text size="sm">{t('signedText')}</Text>
      <Group align="flex-end">
        <Select
          label={t('valid')}
          data={(['hour', 'hours', 'day', 'week'] as const).map((value) => ({ value, label: t(value) }))}
          value={period}
          allowDeselect={false}
          onChange={(value) => isPeriod(value) && setPeriod(value)}
        />
        <Button
          variant="default"
          leftSection={<IconKey size={18} aria-hidden />}
          loading={sign.isPending}
          onClick={() => sign.mutate()}
        >
          {t('sign')}
        </Button>
      </Group>
      <ProblemAlert error={sign.error} />
      <Text size="sm" role="status">
        {sign.data && t('until', { when: formatTime(sign.data.ExpiresAt) })}
      </Text>
      {sign.data && <LinkFields links={sign.data} />}
    </Stack>
  )
}

/** Where it plays: for everybody, for one viewer, and for colleagues. */
export const PlayoutPanel = ({ file, project }: { readonly file: MediaFile; readonly project: Project }) => {
  const t = useWords()
  const { data: playout, error } = useQuery({ ...playoutQuery(file), enabled: file.IsPlayable })
  if (!file.IsPlayable) return <Text>{t('notPlayable')}</Text>
  const { AllowedDomains: domains } = project
  return (
    <Stack>
      <ProblemAlert error={error} />
      <Title order={2} size="h4">
        {t('public')}
      </Title>
      {file.Metadata.ReleaseStatus !== 'published' && (
        <Alert color="blue" variant="outline">
          {t('notPublished')}
        </Alert>
      )}
      {project.TokenSecurity && (
        <Alert color="blue" variant="outline">
          {t('tokenSecurity')}
        </Alert>
      )}
      {playout && <LinkFields links={playout} />}
      <Text size="sm" c="dimmed">
        {domains.length === 0 ? t('anyDomain') : t('domains', { domains: domains.join(', ') })}
      </Text>
      <Title order={2} size="h4">
        {t('signed')}
      </Title>
      <SignedLinks file={file} />
      {playout && (
        <>
          <Title order={2} size="h4">
            {t('preview')}
          </Title>
          <Text size="sm">{t('previewText', { when: formatTime(playout.Preview.ExpiresAt) })}</Text>
          <LinkFields links={{ ...playout.Preview, HLS: null, DASH: null, MP4: null, Storyboard: null }} />
        </>
      )}
    </Stack>
  )
}
