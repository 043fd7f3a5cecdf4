import type { MediaFile } from '@zoetrope/sdk'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts, type Translate } from '../../shell/texts.ts'
import { codecName } from '../../ui/codec-name.ts'
import { DataTable } from '../../ui/lists/data-table.tsx'
import { FactsTable } from '../../ui/lists/facts-table.tsx'
import type { TableColumn } from '../../ui/lists/table-columns.tsx'
import { formatBytes, formatDuration, formatNumber } from '../../ui/format.ts'
import { ownUrl } from '../../ui/embed/own-url.ts'
import { useAgo } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'
import { fileQuery, playoutQuery } from '../file-query.ts'
import { languageName } from '../languages.ts'
import { Mp4Download } from './mp4-download.tsx'

/** No event reports that a rendition of a finished file is encoded or evicted. */
const renditionsEveryMs = 5_000

const bitRateText = (bitsPerSecond: number): string =>
  bitsPerSecond >= 1_000_000
    ? `${formatNumber(Math.round(bitsPerSecond / 100_000) / 10)} Mbit/s`
    : `${formatNumber(Math.round(bitsPerSecond / 1_000))} kbit/s`

const kinds = ['upload', 'url', 'recording', 'clip'] as const

const SourceTable = ({ file }: { readonly file: MediaFile }) => {
  const t = useTexts('file.renditions')
  const { Properties: media, Source, Checksum } = file
  const kind = kinds.find((one) => one === Source.Kind)
  const video =
    media?.VideoFormat == null
      ? null
      : [
          codecName(media.VideoFormat),
          `${media.VideoWidth} × ${media.VideoHeight}`,
          media.VideoFPS === null ? null : t('frames', { rate: formatNumber(media.VideoFPS) }),
          media.VideoBitRate === null ? null : bitRateText(media.VideoBitRate),
        ]
  const audio =
    media?.AudioFormat == null
      ? null
      : [
          codecName(media.AudioFormat),
          media.AudioChannels === null ? null : t('channels', { count: media.AudioChannels }),
          media.AudioSampleRate === null ? null : `${formatNumber(media.AudioSampleRate)} Hz`,
          media.AudioBitRate === null ? null : bitRateText(media.AudioBitRate),
        ]
  const joined = (parts: readonly (string | null)[] | null): string =>
    parts?.filter((part) => part !== null).join(' · ') ?? t('noVideo')
  const facts = [
    [t('file'), file.Metadata.OriginalFileName || file.Name],
    [t('origin'), kind === undefined ? Source.Kind : t(kind)],
    ['URL', Source.URI],
    [t('length'), media?.Length == null ? null : formatDuration(media.Length)],
    [t('bytes'), media === null ? null : formatBytes(media.Size)],
    [t('video'), media === null ? null : joined(video)],
    [t('audio'), media === null ? null : joined(audio)],
    [t('checksum'), Checksum],
  ] as const
  return <FactsTable label={t('sourceTable')} facts={facts} />
}

type Rendition = MediaFile['Renditions'][number]

const nameOf = (t: Translate<'file.renditions'>, { Type, Label, Language, Name }: Rendition): string => {
  if (Type === 'audio') return Label ?? (Language === null ? Name : languageName(Language))
  return Name === 'source' ? t('source') : Name
}

const codecOrder = ['avc', 'hvc', 'hev', 'av0'] as const

/** Video before audio, by codec in the order of encoding, the largest first. */
const sorted = (renditions: readonly Rendition[]): Rendition[] => {
  const rankOf = ({ Height, Codec }: Rendition): number =>
    Height === null ? codecOrder.length : codecOrder.findIndex((start) => Codec.startsWith(start))
  return renditions.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || (other.Height ?? 0) - (one.Height ?? 0),
  )
}

/** A finished file may have renditions that are not encoded, because nobody has requested them. */
const stateOf = (
  { State }: Rendition,
  isFinished: boolean,
): readonly [Tone, 'ready' | 'growing' | 'partial' | 'onDemand'] => {
  if (State === 'ready') return ['ok', 'ready']
  if (State === 'on-demand') return ['neutral', 'onDemand']
  return isFinished ? ['neutral', 'partial'] : ['busy', 'growing']
}

const renditionColumns = (
  t: Translate<'file.renditions'>,
  movie: string | null,
  isFinished: boolean,
): TableColumn<Rendition>[] => [
  {
    ...{ key: 'name', header: t('name'), minWidth: 132 },
    cell: (one) => (
      <div>
        <Text size="sm" fw={550} truncate>
          {nameOf(t, one)}
        </Text>
        <Text size="xs" c="dimmed" title={one.Codec}>
          {one.Height === null
            ? codecName(one.Codec)
            : `${one.Width} × ${one.Height} · ${codecName(one.Codec)}`}
        </Text>
      </div>
    ),
  },
  {
    ...{ key: 'bitRate', header: t('bitRate'), width: 104, align: 'end', yields: true },
    // Until all segments exist, the server gives the highest possible value.
    cell: ({ BitRate, IsComplete, Size }) => (
      <div>
        {`${IsComplete ? '' : '≤ '}${bitRateText(BitRate)}`}
        <Text size="xs" c="dimmed">
          {formatBytes(Size)}
        </Text>
      </div>
    ),
  },
  {
    ...{ key: 'state', header: t('state'), width: 124 },
    cell: (one) => {
      const [tone, state] = stateOf(one, isFinished)
      return <StatusBadge tone={tone}>{t(state)}</StatusBadge>
    },
  },
  {
    ...{ key: 'movie', header: 'MP4', width: 52, align: 'end' },
    isEmpty: (one) => movie === null || !isDownloadable(one, isFinished),
    cell: (one) => {
      if (movie === null || !isDownloadable(one, isFinished)) return null
      return (
        <Mp4Download
          url={`${ownUrl(movie)}?rendition=${one.Id}`}
          name={one.Name}
          isComplete={one.IsComplete}
        />
      )
    },
  },
]

/** Requests have renditions encoded only once the file is finished. */
const isDownloadable = ({ IsComplete, Codec }: Rendition, isFinished: boolean): boolean =>
  Codec.startsWith('avc') && (IsComplete || isFinished)

/** Explains when the missing renditions will be encoded. */
const OnDemandHelp = ({ file }: { readonly file: MediaFile }) => {
  const t = useTexts('file.renditions')
  const missing = file.Renditions.filter(({ IsComplete }) => !IsComplete)
  const isLater = missing.some(({ Codec }) => /^(hvc|hev|av0)/.test(Codec))
  return (
    <Text size="xs" c="dimmed">
      {t(file.LadderMode === 'auto' ? 'autoHelp' : 'onDemandHelp')} {isLater && t('laterHelp')}
    </Text>
  )
}

export const RenditionsPanel = ({ file }: { readonly file: MediaFile }) => {
  const t = useTexts('file.renditions')
  const ago = useAgo()
  const { data: playout } = useQuery({ ...playoutQuery(file), enabled: file.IsPlayable })
  const movie = playout?.Preview.MP4 ?? null
  const isUnderWay = !file.IsFinished && file.Status !== 'created'
  const isOnDemand = file.IsFinished && file.Renditions.some(({ IsComplete }) => !IsComplete)
  useQuery({
    ...fileQuery(file.ProjectId, file.Id),
    enabled: isOnDemand,
    refetchInterval: renditionsEveryMs,
  })
  return (
    <>
      <Section title={t('renditions')}>
        {isUnderWay && (
          <Text size="sm">
            {t('more', { percent: file.EncodingProgress })}{' '}
            {file.EstimatedReadyAt !== null && t('until', { when: ago(file.EstimatedReadyAt) })}
          </Text>
        )}
        {file.Renditions.length === 0 && <Text size="sm">{t('none')}</Text>}
        {file.Renditions.length > 0 && (
          <DataTable<Rendition>
            id="renditions"
            label={t('table')}
            rows={sorted(file.Renditions)}
            keyOf={({ Id }) => Id}
            columns={renditionColumns(t, movie, file.IsFinished)}
          />
        )}
        {isOnDemand && <OnDemandHelp file={file} />}
      </Section>
      <Section title={t('source')}>
        {file.Properties === null && <Text size="sm">{t('unknown')}</Text>}
        <SourceTable file={file} />
      </Section>
    </>
  )
}
