import type { MediaFile } from '@zoetrope/sdk'
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { Disclosure } from '../../ui/forms/disclosure.tsx'
import { Section } from '../../ui/section.tsx'
import type { FileRights } from '../file-rights.ts'
import type { PlayerLink } from '../player-link.ts'
import { RecentActivity } from '../history/recent-activity.tsx'
import { ClipsPanel } from './clips-panel.tsx'
import { FileFacts } from './file-facts.tsx'

export const OverviewPanel = ({
  file,
  rights,
  link,
  onEdit,
  onShowActivity,
}: {
  readonly file: MediaFile
  readonly rights: FileRights
  readonly link: PlayerLink
  readonly onEdit: () => void
  readonly onShowActivity: () => void
}) => {
  const t = useTexts('file.overview')
  const [isCutting, setCutting] = useState(false)
  const { Description, Tags, Category } = file.Metadata
  return (
    <Stack>
      <Section
        title={t('about')}
        actions={
          rights.mayEdit && (
            <Button size="xs" variant="default" onClick={onEdit}>
              {t('edit')}
            </Button>
          )
        }
      >
        <Text size="sm" className="file-description" {...(Description === '' && { c: 'dimmed' })}>
          {Description || t('noDescription')}
        </Text>
        {Tags.length + Category.length > 0 && (
          <Group gap={6} component="ul" aria-label={t('tags')} className="file-tags">
            {[...Category.map(({ Label }) => Label), ...Tags].map((tag, place) => (
              <Badge key={`${tag} ${place}`} component="li" variant="default">
                {tag}
              </Badge>
            ))}
          </Group>
        )}
        <FileFacts file={file} />
      </Section>
      {file.IsPlayable && (
        <Disclosure label={t('cut')} isOpen={isCutting} onToggle={() => setCutting(!isCutting)}>
          <ClipsPanel file={file} link={link} />
        </Disclosure>
      )}
      <RecentActivity file={file} onShowAll={onShowActivity} />
    </Stack>
  )
}
