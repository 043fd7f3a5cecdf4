import type { MediaFile } from '@zoetrope/sdk'
import { useTexts } from '../../shell/texts.ts'
import { codecName } from '../../ui/codec-name.ts'
import { FactsTable } from '../../ui/lists/facts-table.tsx'
import { formatBytes, formatDuration, formatNumber, formatTime } from '../../ui/format.ts'
import { languageName } from '../languages.ts'

export const FileFacts = ({ file }: { readonly file: MediaFile }) => {
  const t = useTexts('file.overview')
  const { Properties: media, Captions, Renditions, Timings, CreatedAt, ExternalId, IsFinished } = file
  const picture =
    media?.VideoFormat == null
      ? null
      : [
          `${media.VideoWidth} × ${media.VideoHeight}`,
          codecName(media.VideoFormat),
          ...(media.VideoFPS === null ? [] : [t('frames', { rate: formatNumber(media.VideoFPS) })]),
        ].join(' · ')
  const captions = Captions.filter(({ Kind }) => Kind !== 'chapters').map(({ Language }) =>
    languageName(Language),
  )
  const heights = new Set(Renditions.flatMap(({ Height }) => (Height === null ? [] : [Height])))
  const qualities = [...heights].toSorted((one, other) => other - one).map((height) => `${height}p`)
  const pending = IsFinished ? null : t('pending')
  const at = (instant: string | null): string | null => (instant === null ? pending : formatTime(instant))
  const facts = [
    [t('length'), media?.Length == null ? null : formatDuration(media.Length)],
    [t('picture'), picture],
    [t('bytes'), media === null ? null : formatBytes(media.Size)],
    [t('qualities'), qualities.length === 0 ? null : qualities.join(', ')],
    [t('captions'), captions.length === 0 ? null : [...new Set(captions)].join(', ')],
    [t('externalId'), ExternalId],
    [t('created'), formatTime(CreatedAt)],
    [t('playable'), at(Timings.PlayableAt)],
    [t('encoded'), at(Timings.EncodedAt)],
  ] as const
  return <FactsTable label={t('facts')} facts={facts} />
}
