import { decimal, httpUrl, integer, oneOf, optional, setting } from './setting.ts'

const GB = 1_000_000_000

export const liveSettings = {
  rtmpPort: setting(
    'ZOETROPE_RTMP_PORT',
    '1935',
    integer(0, 65_535),
    'TCP port for RTMP ingest. 0 = disabled.',
  ),
  rtmpsPort: setting(
    'ZOETROPE_RTMPS_PORT',
    '0',
    integer(0, 65_535),
    'TCP port for RTMPS ingest. Requires ZOETROPE_TLS_CERT and ZOETROPE_TLS_KEY. 0 = disabled.',
  ),
  srtPort: setting(
    'ZOETROPE_SRT_PORT',
    '10080',
    integer(0, 65_535),
    'UDP port for SRT ingest, shared by all streams. 0 = disabled.',
  ),
  ingestHost: setting(
    'ZOETROPE_INGEST_HOST',
    '',
    optional,
    'Host name in the ingest URLs for encoders, such as ingest.example.com. Default: the host of ZOETROPE_PUBLIC_URL.',
  ),
  tlsCertFile: setting(
    'ZOETROPE_TLS_CERT',
    '',
    optional,
    'PEM file of the certificate for RTMPS, with its chain. It is reloaded when it changes.',
  ),
  tlsKeyFile: setting('ZOETROPE_TLS_KEY', '', optional, 'PEM file of the private key of that certificate.'),
  liveHost: setting(
    'ZOETROPE_LIVE_HOST',
    '',
    optional,
    'Address on which a live node accepts streams; 0.0.0.0 for all interfaces. Default: ZOETROPE_HOST.',
  ),
  liveUrl: setting(
    'ZOETROPE_LIVE_URL',
    '',
    httpUrl,
    'URL at which other nodes reach this live node, such as http://10.0.0.5:8090. The node listens on that port of ZOETROPE_LIVE_HOST. Default: a free port, for api processes on the same machine.',
  ),
  livePublicUrl: setting(
    'ZOETROPE_LIVE_PUBLIC_URL',
    '',
    httpUrl,
    'URL at which viewers reach this live node directly; api nodes redirect viewers to it. Default: api nodes proxy the stream.',
  ),
  liveMaxStreams: setting(
    'ZOETROPE_LIVE_MAX_STREAMS',
    '200',
    integer(1, 10_000),
    'Largest number of concurrent streams on one live node. Further encoders are refused.',
  ),
  liveMaxStreamsPerAccount: setting(
    'ZOETROPE_LIVE_MAX_STREAMS_PER_ACCOUNT',
    '0',
    integer(0, 10_000),
    'Largest number of concurrent streams of one account on one live node, so that the others keep room. 0 = no limit.',
  ),
  ingestConnectionsPerAddress: setting(
    'ZOETROPE_INGEST_CONNECTIONS_PER_ADDRESS',
    '50',
    integer(0, 10_000),
    'Largest number of connections of one address to each ingest protocol of a live node: encoders behind one router share it. 0 = no limit.',
  ),
  liveLadders: setting(
    'ZOETROPE_LIVE_LADDERS',
    '',
    (value, name) => (value === '' ? null : integer(0, 1_000)(value, name)),
    'Largest number of live streams that one live node transcodes at a time. Further streams play without lower renditions. Default: one for every two cores.',
  ),
  liveDiskBytes: setting(
    'ZOETROPE_LIVE_DISK_BYTES',
    String(50 * GB),
    integer(0, Number.MAX_SAFE_INTEGER),
    'Largest disk space of all DVR windows on a live node, in bytes. Above it, the oldest minutes are deleted. Windows in the media storage do not count. With 0, streams without a DVR window also keep all their segments in memory.',
  ),
  liveDvr: setting(
    'ZOETROPE_LIVE_DVR',
    '',
    (value, name) => (value === '' ? null : oneOf(['disk', 'media'] as const)(value, name)),
    'Where a live node stores DVR windows: disk (its own), or media (the media storage), where other live nodes find them. Default: media if media is on S3 and the live node runs without ./zoetrope up, otherwise disk.',
  ),
  liveRecordings: setting(
    'ZOETROPE_LIVE_RECORDINGS',
    '',
    (value, name) => (value === '' ? null : oneOf(['disk', 'media'] as const)(value, name)),
    'Where a live node stores recordings until they are files: disk (its own), or media (the media storage), where other live nodes continue them. Default: media if media is on S3 and the live node runs without ./zoetrope up, otherwise disk.',
  ),
  recordingMaxHours: setting(
    'ZOETROPE_RECORDING_MAX_HOURS',
    '12',
    decimal(0.01, 48),
    'Longest recording of a live stream in one file. Then the next file starts.',
  ),
} as const
