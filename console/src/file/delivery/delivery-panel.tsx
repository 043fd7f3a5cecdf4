import type { MediaFile, Project } from '@zoetrope/sdk'
import { Alert, Stack } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { EmbedPanel } from './embed-panel.tsx'
import { PlayoutPanel } from './playout-panel.tsx'
import { RenditionsPanel } from './renditions-panel.tsx'

/** How the file reaches viewers: embed code, addresses, and what is served. */
export const DeliveryPanel = (props: { readonly file: MediaFile; readonly project: Project }) => {
  const t = useTexts('file.delivery')
  const { file, project } = props
  const isPublished = file.Metadata.ReleaseStatus === 'published'
  return (
    <Stack>
      {!isPublished && (
        <Alert color="blue" variant="outline">
          {t('notPublished')}
        </Alert>
      )}
      {project.TokenSecurity && (
        <Alert color="blue" variant="outline">
          {t('tokenSecurity')}
        </Alert>
      )}
      <EmbedPanel {...props} />
      <PlayoutPanel {...props} />
      <RenditionsPanel file={file} />
    </Stack>
  )
}
