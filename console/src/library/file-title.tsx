import { Link } from '@tanstack/react-router'
import type { MediaFile } from '@zoetrope/sdk'

export const titleOf = ({ Metadata, Name }: MediaFile): string =>
  Metadata.Title || Metadata.OriginalFileName || Name

/** Links to the screen of the file. A deleted file has none. */
export const FileTitle = ({ file }: { readonly file: MediaFile }) => {
  const title = titleOf(file)
  if (!file.IsEnabled)
    return (
      <span className="file-title" title={title}>
        {title}
      </span>
    )
  return (
    <Link
      className="file-title"
      title={title}
      to="/projects/$projectId/files/$fileId"
      params={{ projectId: file.ProjectId, fileId: file.Id }}
    >
      {title}
    </Link>
  )
}
