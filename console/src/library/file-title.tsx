import type { MediaFile } from '@zoetrope/sdk'
import { ListLink } from '../ui/lists/list-link.tsx'

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
    <ListLink className="file-title" title={title} to={`/projects/${file.ProjectId}/files/${file.Id}`}>
      {title}
    </ListLink>
  )
}
