export const liveIssues = {
  target_url_not_combinable: 'must not be sent together with ServerURI and StreamKey',
  stream_key_missing: 'is required: a new ServerURI needs the stream key of that server',
  server_url_missing: 'is required with a StreamKey',
  target_url_missing: 'is required: send URI, or ServerURI and StreamKey',
  stream_key_is_path: 'must not be a path',
  server_url_has_query: 'must have no query; send the part after the stream key in StreamKey',
  application_missing: 'must name the application, as in rtmp://live.example.com/app',
  stream_key_not_in_url:
    'must end with the stream key, as in rtmp://live.example.com/app/key; or send ServerURI and StreamKey',
  source_url_required: 'is required if StreamInType is {type}',
  whip_not_supported: 'cannot be whip here; publish with rtmp or srt',
  not_beacon_session: 'must be 8 to 64 letters, digits, - or _',
  not_latency: 'must be a number from 0 to {max}, or null',
} as const
