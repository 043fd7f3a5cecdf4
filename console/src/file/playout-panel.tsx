import type { MediaFile, Project } from '@zoetrope/sdk'
import { Alert, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { useTexts } from '../shell/texts.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { formatTime } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { SignedLinks } from '../ui/embed/signed-links.tsx'
import { playoutQuery } from './file-query.ts'

interface Links {
  readonly HLS: string | null
  readonly DASH: string | null
  readonly MP4: string | null
  readonly EmbedURI: string | null
  readonly Storyboard: string | null
  readonly M4A: string | null
  readonly ThumbnailURI: string | null
  readonly AnimatedURI: string | null
}

const noLinks: Links = {
  HLS: null,
  DASH: null,
  MP4: null,
  EmbedURI: null,
  Storyboard: null,
  M4A: null,
  ThumbnailURI: null,
  AnimatedURI: null,
}

const LinkFields = ({ links }: { readonly links: Links }) => {
  const t = useTexts('file.playout')
  const shown = [
    ['HLS', links.HLS],
    ['DASH', links.DASH],
    [t('download'), links.MP4],
    [t('audioDownload'), links.M4A],
    [t('player'), links.EmbedURI],
    [t('storyboard'), links.Storyboard],
    [t('thumbnail'), links.ThumbnailURI],
    [t('animation'), links.AnimatedURI],
  ] as const
  return (
    <Stack gap="xs">
      {shown.map(([label, value]) => value !== null && <CopyField key={label} label={label} value={value} />)}
    </Stack>
  )
}

export const PlayoutPanel = ({ file, project }: { readonly file: MediaFile; readonly project: Project }) => {
  const t = useTexts('file.playout')
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
      <SignedLinks
        sign={(options) => zoetrope.files.signPlayout(file.ProjectId, file.Id, options)}
        revoke={(tokenId) => zoetrope.files.revokeToken(file.ProjectId, file.Id, tokenId)}
      >
        {(links) => <LinkFields links={links} />}
      </SignedLinks>
      {playout && (
        <>
          <Title order={2} size="h4">
            {t('preview')}
          </Title>
          <Text size="sm">{t('previewText', { when: formatTime(playout.Preview.ExpiresAt) })}</Text>
          <LinkFields links={{ ...noLinks, EmbedURI: playout.Preview.EmbedURI }} />
        </>
      )}
    </Stack>
  )
}
