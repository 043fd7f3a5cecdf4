import type { MediaFile } from '@zoetrope/sdk'
import { Group, Text } from '@mantine/core'
import { defineWords } from '../shell/words.ts'
import { formatTime } from '../ui/format.ts'
import { ReleaseBadge } from '../ui/release-status.tsx'

const useWords = defineWords('file-release-notice', {
  en: {
    hidden: 'Viewers do not see it.',
    seen: 'Viewers see it.',
    early: 'Viewers see it from {{when}}.',
    late: 'Viewers saw it until {{when}}.',
    notYet: 'Viewers see it as soon as it can be played.',
  },
  de: {
    hidden: 'Zuschauer sehen es nicht.',
    seen: 'Zuschauer sehen es.',
    early: 'Zuschauer sehen es ab {{when}}.',
    late: 'Zuschauer sahen es bis {{when}}.',
    notYet: 'Zuschauer sehen es, sobald es abspielbar ist.',
  },
})

type Visibility = 'hidden' | 'late' | 'early' | 'seen' | 'notYet'

const visibilityNow = ({ Metadata, IsPlayable }: MediaFile): Visibility => {
  const { ReleaseStatus, IsPublicAt, IsPublicUntil } = Metadata
  const now = Date.now()
  if (ReleaseStatus !== 'published') return 'hidden'
  if (IsPublicUntil !== null && Date.parse(IsPublicUntil) <= now) return 'late'
  if (IsPublicAt !== null && Date.parse(IsPublicAt) > now) return 'early'
  return IsPlayable ? 'seen' : 'notYet'
}

/** Whether viewers see the file now, and why not. */
export const ReleaseNotice = ({ file }: { readonly file: MediaFile }) => {
  const t = useWords()
  const { ReleaseStatus, IsPublicAt, IsPublicUntil } = file.Metadata
  const visibility = visibilityNow(file)
  const when = formatTime(visibility === 'late' ? IsPublicUntil : IsPublicAt)
  return (
    <Group gap="xs">
      <ReleaseBadge status={ReleaseStatus} />
      <Text size="sm">{t(visibility, { when })}</Text>
    </Group>
  )
}
