import type { MediaFile } from '@zoetrope/sdk'
import { ActionIcon, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
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
import { StatusBadge } from '../../ui/status-badge.tsx'
import { playoutQuery } from '../file-query.ts'
import { languageName } from '../languages.ts'

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

const renditionColumns = (
  t: Translate<'file.renditions'>,
  movie: string | null,
): TableColumn<Rendition>[] => [
  {
    ...{ key: 'name', header: t('name') },
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
    ...{ key: 'bitRate', header: t('bitRate'), width: 92, align: 'end' },
    cell: ({ BitRate }) => bitRateText(BitRate),
  },
  {
    ...{ key: 'bytes', header: t('bytes'), width: 80, align: 'end' },
    cell: ({ Size }) => formatBytes(Size),
  },
  {
    ...{ key: 'state', header: t('state'), width: 90 },
    cell: ({ IsComplete }) => (
      <StatusBadge tone={IsComplete ? 'ok' : 'busy'}>{t(IsComplete ? 'ready' : 'growing')}</StatusBadge>
    ),
  },
  {
    ...{ key: 'movie', header: 'MP4', width: 52, align: 'end' },
    isEmpty: (one) => !isDownloadable(one, movie),
    cell: (one) =>
      isDownloadable(one, movie) && (
        <ActionIcon
          component="a"
          href={`${ownUrl(movie ?? '')}?rendition=${one.Id}`}
          download
          variant="subtle"
          color="gray"
          aria-label={t('download', { name: one.Name })}
        >
          <IconDownload size={18} aria-hidden />
        </ActionIcon>
      ),
  },
]

const isDownloadable = ({ IsComplete, Codec }: Rendition, movie: string | null): boolean =>
  movie !== null && IsComplete && Codec.startsWith('avc')

export const RenditionsPanel = ({ file }: { readonly file: MediaFile }) => {
  const t = useTexts('file.renditions')
  const ago = useAgo()
  const { data: playout } = useQuery({ ...playoutQuery(file), enabled: file.IsPlayable })
  const movie = playout?.Preview.MP4 ?? null
  const isUnderWay = !file.IsFinished && file.Status !== 'created'
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
            rows={file.Renditions}
            keyOf={({ Id }) => Id}
            columns={renditionColumns(t, movie)}
          />
        )}
      </Section>
      <Section title={t('source')}>
        {file.Properties === null && <Text size="sm">{t('unknown')}</Text>}
        <SourceTable file={file} />
      </Section>
    </>
  )
}
