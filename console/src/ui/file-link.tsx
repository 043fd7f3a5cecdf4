import { Anchor, type AnchorProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Links to the screen of a file. */
export const FileLink = ({
  projectId,
  fileId,
  draggable = true,
  children,
  ...rest
}: AnchorProps & {
  readonly projectId: number
  readonly fileId: number
  readonly draggable?: boolean
  readonly title?: string
  readonly children: ReactNode
}) => (
  <Anchor
    {...rest}
    renderRoot={(props) => (
      <Link
        {...props}
        draggable={draggable}
        to="/projects/$projectId/files/$fileId"
        params={{ projectId, fileId }}
      />
    )}
  >
    {children}
  </Anchor>
)
