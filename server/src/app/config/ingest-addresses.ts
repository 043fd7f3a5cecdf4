import type { Config } from './config.ts'
import type { IngestAddresses } from '../../live/control/settings/ingest-record.ts'

const rtmpAddress = (scheme: string, host: string, port: number, usualPort: number): string =>
  `${scheme}://${host}${port === usualPort ? '' : `:${port}`}/live`

/** Returns the ingest addresses for encoders, with encryption where it is enabled. */
export const ingestAddressesOf = ({
  publicUrl,
  ingestHost,
  rtmpPort,
  rtmpsPort,
  srtPort,
}: Pick<Config, 'publicUrl' | 'ingestHost' | 'rtmpPort' | 'rtmpsPort' | 'srtPort'>): IngestAddresses => {
  const host = ingestHost ?? new URL(publicUrl).hostname
  const rtmp = rtmpPort === 0 ? null : rtmpAddress('rtmp', host, rtmpPort, 1935)
  return {
    rtmp: rtmpsPort === 0 ? rtmp : rtmpAddress('rtmps', host, rtmpsPort, 443),
    srt: ({ playout_id }) => (srtPort === 0 ? null : `srt://${host}:${srtPort}?streamid=${playout_id}`),
  }
}
