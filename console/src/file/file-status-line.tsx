import type { MediaFile } from '@zoetrope/sdk'
import { useTexts } from '../shell/texts.ts'
import { formatTime } from '../ui/format.ts'
import { useAgo } from '../ui/relative-time.tsx'
import { releaseNow } from '../ui/release-status.tsx'
import { StatusBadge, type Tone } from '../ui/status-badge.tsx'
import { useSentPercent } from '../uploads/upload-list.ts'

type Visibility = 'hidden' | 'late' | 'early' | 'seen' | 'notYet'

const visibilityNow = ({ Metadata, IsPlayable }: MediaFile): Visibility => {
  const release = releaseNow(Metadata)
  if (release === 'expired') return 'late'
  if (release === 'scheduled') return 'early'
  if (release !== 'published') return 'hidden'
  return IsPlayable ? 'seen' : 'notYet'
}

const tones: Readonly<Record<MediaFile['Status'], Tone>> = {
  created: 'busy',
  uploaded: 'busy',
  encoding: 'busy',
  playable: 'busy',
  finished: 'ok',
  degraded: 'warning',
  failed: 'danger',
}

/** State of processing with the time of its end, and whether viewers see the file. */
export const FileStatusLine = ({ file }: { readonly file: MediaFile }) => {
  const t = useTexts('file.status')
  const { Status, IsFinished, EncodingProgress, EstimatedReadyAt, Metadata } = file
  const sent = useSentPercent(file.Id)
  // The release and the estimate change with time alone.
  const ago = useAgo()
  const percent = Status === 'created' ? sent : IsFinished ? null : EncodingProgress
  const visibility = visibilityNow(file)
  const when = formatTime(visibility === 'late' ? Metadata.IsPublicUntil : Metadata.IsPublicAt)
  return (
    <span className="file-status-line">
      {/* Screen readers announce the state, but not each new estimate. */}
      <span role="status">
        <StatusBadge tone={tones[Status]}>
          {percent === null ? t(Status) : t('inWork', { state: t(Status), percent })}
        </StatusBadge>
      </span>
      {EstimatedReadyAt !== null && <span>{t('ready', { when: ago(EstimatedReadyAt) })}</span>}
      <StatusBadge tone={visibility === 'seen' ? 'ok' : 'neutral'}>{t(visibility, { when })}</StatusBadge>
    </span>
  )
}
