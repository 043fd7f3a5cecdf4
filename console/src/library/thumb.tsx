import './library.css'
import { useQuery } from '@tanstack/react-query'
import type { MediaFile } from '@zoetrope/sdk'
import { useEffect, useState, type PointerEvent } from 'react'
import { ownUrl } from '../ui/embed/own-url.ts'
import { formatDuration } from '../ui/format.ts'
import { storyboardQuery, tileStyle } from './storyboard.ts'

/** A pointer that only crosses the list asks for nothing. */
const restMs = 100

const Preview = ({ file, share }: { readonly file: MediaFile; readonly share: number }) => {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setWanted(true), restMs)
    return () => clearTimeout(timer)
  }, [])
  const { data: storyboard } = useQuery({ ...storyboardQuery(file), enabled: isWanted })
  if (storyboard == null) return null
  return (
    <div className="thumb-preview">
      <div style={tileStyle(storyboard, share)} />
      <div className="thumb-place" style={{ width: `${100 * share}%` }} />
    </div>
  )
}

/** Poster of a file. The pointer of a mouse moves through its storyboard. */
export const Thumb = ({
  file,
  withLength = false,
  isDraggable = false,
}: {
  readonly file: MediaFile
  readonly withLength?: boolean
  /** Moves the file to another project. */
  readonly isDraggable?: boolean
}) => {
  const [share, setShare] = useState<number | null>(null)
  const { Metadata, Properties, IsEnabled, IsFinished } = file
  const picture = Metadata.StandardFilePicture
  const isSound = Properties !== null && Properties.VideoFormat === null
  const hasPicture = picture !== null && IsEnabled
  const hasPreview = IsEnabled && IsFinished && !isSound
  const follow = (event: PointerEvent<HTMLElement>): void => {
    if (event.pointerType !== 'mouse') return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setShare(Math.min(1, Math.max(0, (event.clientX - left) / width)))
  }
  return (
    <div
      className="thumb"
      draggable={isDraggable}
      {...(!hasPicture && { 'data-icon': isSound ? 'sound' : 'video' })}
      {...(hasPreview && { onPointerMove: follow, onPointerLeave: () => setShare(null) })}
    >
      {hasPicture && (
        <img src={ownUrl(picture.ThumbURI)} alt="" draggable={false} loading="lazy" decoding="async" />
      )}
      {share !== null && <Preview file={file} share={share} />}
      {withLength && share === null && Properties?.Length != null && (
        <span className="thumb-length">{formatDuration(Properties.Length)}</span>
      )}
    </div>
  )
}
