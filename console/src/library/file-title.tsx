import { Text } from '@mantine/core'
import { IconMovie, IconMusic } from '@tabler/icons-react'
import type { MediaFile } from '@zoetrope/sdk'
import { ownUrl } from '../ui/embed/own-url.ts'
import { FileLink } from '../ui/file-link.tsx'

export const titleOf = ({ Metadata, Name }: MediaFile): string =>
  Metadata.Title || Metadata.OriginalFileName || Name

/** Links to the screen of the file. A deleted file has none. */
export const FileTitle = ({ file }: { readonly file: MediaFile }) => {
  const title = titleOf(file)
  if (!file.IsEnabled) return <Text lineClamp={2}>{title}</Text>
  return (
    <FileLink projectId={file.ProjectId} fileId={file.Id} lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
      {title}
    </FileLink>
  )
}

export const Thumb = ({ file }: { readonly file: MediaFile }) => {
  const picture = file.Metadata.StandardFilePicture
  const isSound = file.Properties !== null && file.Properties.VideoFormat === null
  return (
    <div className="library-thumb">
      {picture !== null && file.IsEnabled ? (
        <img src={ownUrl(picture.ThumbURI)} alt="" loading="lazy" decoding="async" />
      ) : isSound ? (
        <IconMusic aria-hidden />
      ) : (
        <IconMovie aria-hidden />
      )}
    </div>
  )
}
