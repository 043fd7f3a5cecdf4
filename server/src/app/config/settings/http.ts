import {
  cidrs,
  contactUris,
  date,
  decimal,
  flag,
  httpUrl,
  integer,
  setting,
  strictTransport,
} from './setting.ts'

export const connectionLimits = {
  maxConnections: setting(
    'ZOETROPE_MAX_CONNECTIONS',
    '20000',
    integer(1, 1_000_000),
    'Largest number of connections to each api process. Further ones are closed. An idle connection takes about 20 KB.',
  ),
  connectionsPerAddress: setting(
    'ZOETROPE_CONNECTIONS_PER_ADDRESS',
    '2000',
    integer(0, 1_000_000),
    'Largest number of connections of one address to each api process. Behind a trusted proxy, the requests in progress of each forwarded address count instead. Further ones are closed, or get 429. 0 = no limit.',
  ),
  eventStreamsPerAddress: setting(
    'ZOETROPE_EVENT_STREAMS_PER_ADDRESS',
    '200',
    integer(0, 1_000_000),
    'Largest number of open event streams of one address on each api process. 0 = no limit.',
  ),
} as const

export const requestLimits = {
  readsPerMinute: setting(
    'ZOETROPE_READS_PER_MINUTE',
    '600',
    integer(0, 10_000_000),
    'GET requests per minute and API key, over all nodes. 0 = no limit.',
  ),
  writesPerMinute: setting(
    'ZOETROPE_WRITES_PER_MINUTE',
    '120',
    integer(0, 10_000_000),
    'POST, PUT and DELETE requests per minute and API key, over all nodes. 0 = no limit.',
  ),
  signaturesPerMinute: setting(
    'ZOETROPE_SIGNATURES_PER_MINUTE',
    '0',
    integer(0, 10_000_000),
    'Playout links that one API key can sign per minute, over all nodes. They do not count as writes. 0 = no limit.',
  ),
  refusalsPerMinute: setting(
    'ZOETROPE_REFUSALS_PER_MINUTE',
    '60',
    integer(0, 10_000_000),
    'Invalid API keys per minute and address. Above it, an api process refuses unknown keys of that address without checking them. 0 = no limit.',
  ),
} as const

export const httpSettings = {
  trustedProxies: setting(
    'ZOETROPE_TRUST_PROXY',
    '',
    cidrs,
    'Networks of the reverse proxies in front of Zoetrope, such as 127.0.0.1/32,10.0.0.0/8. Zoetrope reads the client address from their X-Forwarded-For. Default: none.',
  ),
  hsts: setting(
    'ZOETROPE_HSTS',
    'max-age=31536000',
    strictTransport,
    'Value of the header Strict-Transport-Security while ZOETROPE_PUBLIC_URL is https, such as "max-age=63072000; includeSubDomains; preload". off = not sent.',
  ),
  securityContacts: setting(
    'ZOETROPE_SECURITY_CONTACT',
    '',
    contactUris,
    'Where to report vulnerabilities of this installation, such as mailto:security@example.com or an https URL; a comma-separated list. Published in /.well-known/security.txt. Default: none; the path returns 404.',
  ),
  securityExpiresAt: setting(
    'ZOETROPE_SECURITY_EXPIRES',
    '',
    date,
    'Date until which /.well-known/security.txt is valid, such as 2027-01-31. From then on, the path returns 404. Default: always 180 days ahead.',
  ),
  docsEditUrl: setting(
    'ZOETROPE_DOCS_EDIT_URL',
    '',
    httpUrl,
    'URL at which readers of /docs can edit the pages, without the path of the page, such as https://git.example.com/video/zoetrope/edit/main (docs/quickstart.md is appended). Default: no link; pages show their path in the repository.',
  ),
  idempotencyHours: setting(
    'ZOETROPE_IDEMPOTENCY_HOURS',
    '24',
    decimal(0.01, 8_760),
    'How long the response to a POST with an Idempotency-Key is kept for repeated requests.',
  ),
} as const

export const outboundSettings = {
  outboundAllowCidrs: setting(
    'OUTBOUND_ALLOW_CIDRS',
    '',
    cidrs,
    'Private networks that webhooks, SourceURIs, sources and targets of live streams, and identity providers may reach, such as 10.0.0.0/8,127.0.0.1/32 (docs/operations.md). Default: none.',
  ),
  isOutboundHttpAllowed: setting(
    'OUTBOUND_ALLOW_HTTP',
    '0',
    flag,
    'Allow http:// URLs, in addition to https://, for webhooks and sources.',
  ),
} as const
