export const outboundAddressesIssues = {
  not_absolute_url: 'must be an absolute URL such as https://example.com/path',
  not_https: 'must begin with https://',
  not_http_or_https: 'must begin with https:// or http://',
  http_not_allowed: 'must begin with https://; an operator can allow http:// with OUTBOUND_ALLOW_HTTP',
  address_invalid: 'has an invalid address',
  address_not_public:
    'has an address that is not on the public internet; an operator can allow its network with OUTBOUND_ALLOW_CIDRS',
  host_not_public:
    'has the address {host}, which is not on the public internet; an operator can allow its network with OUTBOUND_ALLOW_CIDRS',
  port_not_allowed:
    'uses port {port}; use 80, 443 or a port from 1024 that is not assigned to another protocol',
  stream_url_scheme: 'must be an absolute URL that begins with {schemes}',
  port_missing: 'must name a port, as in srt://example.com:9000',
  path_missing: 'must have a path, as in rtmp://example.com/live/key',
} as const
