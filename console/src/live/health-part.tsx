import { SimpleGrid, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClock, IconPlugConnectedX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../shell/texts.ts'
import { codecName } from '../ui/codec-name.ts'
import { Disclosure } from '../ui/forms/disclosure.tsx'
import { formatNumber } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { noFigures, withFigures } from './figures.ts'
import { LiveGraph } from './live-graph.tsx'
import type { LiveStatus } from './live-queries.ts'
import { findingsOf } from './verdict.ts'

/** Shows the problem and its remedy first, because operators act on them. The measured values are below. */
export const HealthPart = ({
  status,
  measuredAt,
}: {
  readonly status: LiveStatus
  readonly measuredAt: number
}) => {
  const t = useTexts('live.health')
  const [figures, setFigures] = useState(noFigures)
  const [isOpen, setOpen] = useState(false)
  const next = withFigures(figures, status, measuredAt)
  if (next !== figures) setFigures(next)
  return (
    <Section title={t('title')}>
      <Verdict status={status} />
      {summaryOf(status) !== 'offline' && (
        <>
          <LiveGraph figures={next} />
          <Disclosure label={t('details')} isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
            <Facts status={status} />
          </Disclosure>
        </>
      )}
    </Section>
  )
}

/**
 * The state of a stream apart from its warnings. The node that reports the publisher and the row with the state
 * may be some seconds apart.
 */
const summaryOf = ({ Publisher, State, Video, Audio }: LiveStatus) => {
  if (Publisher === null || State === 'offline' || State === 'reconnecting') return 'offline'
  if (State === 'connected' || (Video === null && Audio === null)) return 'waiting'
  if ([Video, Audio].every((track) => track === null || track.BitRate === 0)) return 'silent'
  return Video === null ? 'soundOnly' : 'healthy'
}

const looks = {
  offline: { Icon: IconPlugConnectedX, tone: 'neutral' },
  waiting: { Icon: IconClock, tone: 'neutral' },
  silent: { Icon: IconAlertTriangle, tone: 'warning' },
  soundOnly: { Icon: IconCircleCheck, tone: 'ok' },
  healthy: { Icon: IconCircleCheck, tone: 'ok' },
} as const

const Verdict = ({ status }: { readonly status: LiveStatus }) => {
  const t = useTexts('live.verdict')
  const findings = findingsOf(status, t)
  const summary = summaryOf(status)
  const { Icon, tone } = looks[summary]
  return (
    <div role="status">
      {(findings.length === 0 || summary === 'offline' || summary === 'silent') && (
        <div className="live-verdict" data-tone={tone}>
          <Icon size={22} aria-hidden />
          <div>
            <Text fw={600}>{t(summary)}</Text>
            <Text size="sm" c="dimmed">
              {t(`${summary}Explained`)}
            </Text>
          </div>
        </div>
      )}
      {findings.map(({ code, what, remedy, isForeign }) => (
        <div key={code} className="live-verdict" data-tone="warning" {...(isForeign && { lang: 'en' })}>
          <IconAlertTriangle size={22} aria-hidden />
          <div>
            <Text fw={600}>{what}</Text>
            {remedy !== null && <Text size="sm">{remedy}</Text>}
          </div>
        </div>
      ))}
    </div>
  )
}

const bitRateText = (bitsPerSecond: number | null | undefined): string | null =>
  bitsPerSecond == null ? null : `${formatNumber(Math.round(bitsPerSecond / 1_000))} kbit/s`

const joined = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(' · ')

const Facts = ({ status }: { readonly status: LiveStatus }) => {
  const t = useTexts('live.health')
  const { Publisher, Video, Audio, DriftMs, DroppedFrames, Viewers, Latency } = status
  const size = Video?.Width == null || Video.Height == null ? null : `${Video.Width} × ${Video.Height}`
  const facts: readonly (readonly [string, string])[] = [
    [
      t('encoder'),
      Publisher === null
        ? '–'
        : t('from', {
            encoder: Publisher.Encoder || t('encoder'),
            address: Publisher.Address,
            protocol: Publisher.Protocol,
          }),
    ],
    [
      t('picture'),
      Video === null
        ? '–'
        : joined([
            codecName(Video.Codec),
            size,
            Video.FrameRate === null ? null : t('frameRate', { rate: formatNumber(Video.FrameRate) }),
            bitRateText(Video.BitRate),
          ]),
    ],
    [
      t('sound'),
      Audio === null
        ? '–'
        : joined([
            codecName(Audio.Codec),
            Audio.Channels === null ? null : t('channels', { count: Audio.Channels }),
            Audio.SampleRate === null ? null : `${formatNumber(Audio.SampleRate / 1_000)} kHz`,
            bitRateText(Audio.BitRate),
          ]),
    ],
    [
      t('keyFrames'),
      Video?.KeyFrameInterval == null
        ? t('notMeasured')
        : t('every', { seconds: formatNumber(Video.KeyFrameInterval) }),
    ],
    [
      t('drift'),
      DriftMs === null ? t('notMeasured') : t('milliseconds', { value: formatNumber(Math.round(DriftMs)) }),
    ],
    [t('dropped'), formatNumber(DroppedFrames)],
    [t('viewers'), formatNumber(Viewers)],
    [
      t('latency'),
      Latency.MeasuredP50 === null || Latency.MeasuredP95 === null
        ? t('notMeasured')
        : t('latencyValue', {
            half: formatNumber(Latency.MeasuredP50),
            most: formatNumber(Latency.MeasuredP95),
          }),
    ],
  ]
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} spacing="xs" m={0}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  )
}
