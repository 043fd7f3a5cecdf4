import type { MediaFile, Project } from '@zoetrope/sdk'
import { Stack, Text } from '@mantine/core'
import { IconCode, IconEye, IconHash, IconLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../shell/texts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { CopyRow } from '../ui/copy-row.tsx'
import { embedCode } from '../ui/embed/embed-code.ts'
import { playoutQuery } from './file-query.ts'

/** Copy buttons for links, visible in every section. */
export const ShareLinks = ({ file, project }: { readonly file: MediaFile; readonly project: Project }) => {
  const t = useTexts('file.share')
  const { data: playout } = useQuery({ ...playoutQuery(file), enabled: file.IsPlayable })
  const { Metadata, Name } = file
  const uri = playout?.EmbedURI ?? null
  const previewUri = playout?.Preview.EmbedURI ?? null
  const isPublished = Metadata.ReleaseStatus === 'published'
  return (
    <Stack gap="xs" role="group" aria-label={t('label')}>
      <CopyRow>
        {uri !== null && (
          <>
            <CopyButton isLabelled text={uri} label={t('link')} icon={<IconLink size={16} aria-hidden />} />
            <CopyButton
              isLabelled
              text={embedCode(uri, Metadata.DisplayTitle || Metadata.Title || Name)}
              label={t('embed')}
              icon={<IconCode size={16} aria-hidden />}
            />
          </>
        )}
        {previewUri !== null && (!isPublished || project.TokenSecurity) && (
          <CopyButton
            isLabelled
            text={previewUri}
            label={t('preview')}
            icon={<IconEye size={16} aria-hidden />}
          />
        )}
        <CopyButton
          isLabelled
          text={String(file.Id)}
          label={t('id', { id: file.Id })}
          icon={<IconHash size={16} aria-hidden />}
        />
      </CopyRow>
      {uri !== null && (project.TokenSecurity || !isPublished) && (
        <Text size="sm" c="dimmed">
          {t(project.TokenSecurity ? 'tokenSecurity' : 'notPublished')}
        </Text>
      )}
    </Stack>
  )
}
