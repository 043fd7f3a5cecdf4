import { CloseButton, Group } from '@mantine/core'
import { titleOf } from '../library/file-title.tsx'
import { useTexts } from '../shell/texts.ts'
import { FileLink } from '../ui/file-link.tsx'
import { useFiles } from './analytics-queries.ts'

/** The file that the screen shows alone, with a link to it. */
export const FileFilter = ({
  fileId,
  onRemove,
}: {
  readonly fileId: string
  readonly onRemove: () => void
}) => {
  const t = useTexts('analytics.screen')
  const { files } = useFiles([fileId])
  const [file] = files
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      {file === undefined ? (
        t('file', { id: fileId })
      ) : (
        <FileLink projectId={file.ProjectId} fileId={file.Id} size="sm" truncate title={titleOf(file)}>
          {titleOf(file)}
        </FileLink>
      )}
      <CloseButton aria-label={t('allFiles')} title={t('allFiles')} onClick={onRemove} />
    </Group>
  )
}
