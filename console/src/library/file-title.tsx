import { Text } from '@mantine/core'
import type { MediaFile } from '@zoetrope/sdk'
import { FileLink } from '../ui/file-link.tsx'

export const titleOf = ({ Metadata, Name }: MediaFile): string =>
  Metadata.Title || Metadata.OriginalFileName || Name

/** Links to the screen of the file. A deleted file has none. */
export const FileTitle = ({ file }: { readonly file: MediaFile }) => {
  const title = titleOf(file)
  if (!file.IsEnabled)
    return (
      <Text size="sm" truncate title={title}>
        {title}
      </Text>
    )
  return (
    <FileLink
      projectId={file.ProjectId}
      fileId={file.Id}
      size="sm"
      fw={550}
      c="var(--text)"
      truncate
      title={title}
    >
      {title}
    </FileLink>
  )
}
