import type { MediaFile } from '@zoetrope/sdk'
import { ActionIcon, Badge, Table, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shell/texts.ts'
import { codecName } from '../../ui/codec-name.ts'
import { FactsTable } from '../../ui/lists/facts-table.tsx'
import { formatBytes, formatDuration, formatNumber } from '../../ui/format.ts'
import { ownUrl } from '../../ui/embed/own-url.ts'
import { useAgo } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { WideTable } from '../../ui/lists/wide-table.tsx'
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
          <WideTable
            label={t('table')}
            heads={[t('name'), t('codec'), t('size'), t('bitRate'), t('bytes'), t('state'), 'MP4']}
            minWidth={560}
          >
            {file.Renditions.map((one) => (
              <Table.Tr key={one.Id}>
                <Table.Td>
                  {one.Type === 'audio'
                    ? (one.Label ?? (one.Language === null ? one.Name : languageName(one.Language)))
                    : one.Name === 'source'
                      ? t('source')
                      : one.Name}
                </Table.Td>
                <Table.Td title={one.Codec}>{codecName(one.Codec)}</Table.Td>
                <Table.Td>{one.Height === null ? '–' : `${one.Width} × ${one.Height}`}</Table.Td>
                <Table.Td>{bitRateText(one.BitRate)}</Table.Td>
                <Table.Td>{formatBytes(one.Size)}</Table.Td>
                <Table.Td>
                  <Badge variant="dot" color={one.IsComplete ? 'green' : 'blue'}>
                    {one.IsComplete ? t('ready') : t('growing')}
                  </Badge>
                </Table.Td>
                <Table.Td>
                  {movie !== null && one.IsComplete && one.Codec.startsWith('avc') && (
                    <ActionIcon
                      component="a"
                      href={`${ownUrl(movie)}?rendition=${one.Id}`}
                      download
                      variant="subtle"
                      color="gray"
                      aria-label={t('download', { name: one.Name })}
                    >
                      <IconDownload size={18} aria-hidden />
                    </ActionIcon>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </WideTable>
        )}
      </Section>
      <Section title={t('source')}>
        {file.Properties === null && <Text size="sm">{t('unknown')}</Text>}
        <SourceTable file={file} />
      </Section>
    </>
  )
}
