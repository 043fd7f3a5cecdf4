import type { MediaFile, Project } from '@zoetrope/sdk'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { useTexts } from '../../shell/texts.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Disclosure } from '../../ui/forms/disclosure.tsx'
import { SignedLinks } from '../../ui/embed/signed-links.tsx'
import { formatTime } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { playoutQuery } from '../file-query.ts'

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
  // A project that requires signed links is shared by them.
  const [isSigning, setSigning] = useState(project.TokenSecurity)
  const { AllowedDomains: domains } = project
  return (
    <Section title={t('public')}>
      {!file.IsPlayable && <Text size="sm">{t('notPlayable')}</Text>}
      <ProblemAlert error={error} />
      {playout && (
        <>
          <LinkFields links={playout} />
          <Text size="sm" c="dimmed">
            {domains.length === 0 ? t('anyDomain') : t('domains', { domains: domains.join(', ') })}
          </Text>
          <CopyField
            label={t('preview')}
            description={t('previewText', { when: formatTime(playout.Preview.ExpiresAt) })}
            value={playout.Preview.EmbedURI ?? ''}
          />
          <Disclosure label={t('signed')} isOpen={isSigning} onToggle={() => setSigning(!isSigning)}>
            <SignedLinks
              sign={(options) => zoetrope.files.signPlayout(file.ProjectId, file.Id, options)}
              revoke={(tokenId) => zoetrope.files.revokeToken(file.ProjectId, file.Id, tokenId)}
            >
              {(links) => <LinkFields links={links} />}
            </SignedLinks>
          </Disclosure>
        </>
      )}
    </Section>
  )
}
