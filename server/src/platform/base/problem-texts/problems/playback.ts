export const playbackProblems = {
  nothing_to_play: ['not_found', 'There is nothing to play at this address.'],
  signed_link_invalid: [
    'forbidden',
    'This link has expired or is not valid. Ask the site that embeds the video for a new one.',
  ],
  signed_link_required: ['forbidden', 'This video needs a signed link. Ask the site that embeds it for one.'],
  site_not_allowed: [
    'forbidden',
    'This video may not be played on this site. Its project allows other sites only (AllowedDomains).',
  ],
  playlist_link_invalid: [
    'forbidden',
    'This link has expired or is not valid. Ask the site that embeds the playlist for a new one.',
  ],
  playlist_link_required: [
    'forbidden',
    'This playlist needs a signed link. Ask the site that embeds it for one.',
  ],
  oembed_needs_signed_link: [
    'unauthorized',
    'This video is only available through signed links, so it cannot be embedded this way.',
  ],
  too_many_viewers: ['unavailable', 'Too many viewers are requesting media. Try again in a few seconds.'],
  range_not_satisfiable: [
    'range_not_satisfiable',
    'The resource has {sizeBytes} bytes. Request a range within them.',
  ],
  download_too_long: ['not_found', 'This file is too long for a single download. Play it instead.'],
  too_many_thumbnails: ['rate_limited', 'Too many thumbnails are being made. Try again in a second.'],
  thumbnails_not_available: [
    'unavailable',
    'This server makes no thumbnails because ffmpeg is not available on it.',
  ],
  no_thumbnail_at_time: [
    'not_found',
    'There is no thumbnail at this time: the video cannot be decoded there.',
  ],
  too_many_segments_to_encode: [
    'rate_limited',
    'Too many parts of this video have to be encoded for your address. Try again in a few seconds.',
  ],
  live_node_unavailable: ['unavailable', 'The live node does not respond. Try again in a few seconds.'],
  too_many_view_reports: [
    'rate_limited',
    'Too many reports of players from this address or session. Try again in a few seconds.',
  ],
  view_report_malformed: [
    'invalid',
    'No line of the body is a CMCD report in event mode. Each needs the keys sid and ts.',
  ],
  analytics_engine_failed: [
    'unavailable',
    'The views cannot be read now. Try again in a few seconds, or ask for a shorter period.',
  ],
  analytics_off: ['not_found', 'This server collects no reports of players.'],
  signed_link_not_found: [
    'not_found',
    'Token {tokenId} does not belong to this record, or its key is no longer valid. Send the TokenId of the signed links.',
  ],
} as const
