import type { LiveIngest } from '../live-queries.ts'

/**
 * A link with which the camera of a phone sets up Larix Broadcaster (softvelum.com/larix/grove). Null when
 * nothing can be sent, or for users who may not see the key.
 */
export const phoneSetup = (
  name: string,
  {
    ServerURI,
    StreamName,
    SrtURI,
    SrtPassphrase,
  }: Pick<LiveIngest['StreamInConnection'], 'ServerURI' | 'StreamName' | 'SrtURI' | 'SrtPassphrase'>,
): string | null => {
  const link = (values: readonly (readonly [string, string])[]): string =>
    `larix://set/v1?${values.map(([field, value]) => `conn[][${field}]=${encodeURIComponent(value)}`).join('&')}`
  if (ServerURI !== null && StreamName !== null)
    return link([
      ['url', `${ServerURI}/${StreamName}`],
      ['name', name],
    ])
  if (SrtURI === null || SrtPassphrase === null) return null
  const [address = '', query] = SrtURI.split('?')
  return link([
    ['url', address],
    ['name', name],
    ['srtstreamid', new URLSearchParams(query).get('streamid') ?? ''],
    ['srtpass', SrtPassphrase],
    ['srtmode', 'c'],
  ])
}
