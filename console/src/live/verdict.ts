import { formatNumber } from '../ui/format.ts'
import type { Translate } from '../shell/texts.ts'
import type { LiveStatus } from './live-queries.ts'
import { warningCodes } from './warning-codes.ts'

export interface Finding {
  readonly code: string
  /** The symptom that viewers notice. */
  readonly what: string
  /** The remedy. */
  readonly remedy: string | null
  /** The server has sent a code that this console does not know, so the text is English. */
  readonly isForeign: boolean
}

const rareSeconds = 4

/** The warnings of the server as sentences with the measured values, and a remedy in the words of the encoder. */
export const findingsOf = (
  { Warnings, Video, DriftMs, Publisher }: Pick<LiveStatus, 'Warnings' | 'Video' | 'DriftMs' | 'Publisher'>,
  t: Translate<'live.verdict'>,
): Finding[] => {
  const isObs = /obs/i.test(Publisher?.Encoder ?? '')
  const keySeconds = Video?.KeyFrameInterval ?? null
  return Warnings.map(({ Code, Message }) => {
    const code = warningCodes.find((known) => known === Code)
    if (code === undefined) return { code: Code, what: Message, remedy: null, isForeign: true }
    const finding = { code, what: t(code), remedy: t(`${code}_do`), isForeign: false }
    if (code === 'key_frames_too_rare')
      return {
        ...finding,
        ...(keySeconds !== null &&
          keySeconds > rareSeconds && {
            what: t('keyFramesEvery', { seconds: formatNumber(Math.round(keySeconds * 10) / 10) }),
          }),
        ...(isObs && { remedy: t('keyFramesInObs') }),
      }
    if (code === 'bit_rate_unstable') return { ...finding, ...(isObs && { remedy: t('bitRateInObs') }) }
    if (code === 'frame_rate_drops')
      return Video?.FrameRate == null
        ? finding
        : { ...finding, what: t('framesNow', { rate: formatNumber(Math.round(Video.FrameRate)) }) }
    if (code === 'clock_drift')
      return DriftMs === null
        ? finding
        : { ...finding, what: t('driftNow', { value: formatNumber(Math.abs(Math.round(DriftMs))) }) }
    return finding
  })
}
