import type { RtmpAddress } from '@zoetrope/rtmp'
import type { DialTarget } from '../../../platform/outbound/guarded-dialler.ts'
import { hostOf } from '../../../platform/outbound/outbound-policy.ts'

const defaultPorts = { rtmp: 1_935, rtmps: 443 } as const

/**
 * Parses `rtmp://host/app/key`: the last segment with its query is the stream name, all before it is the
 * application.
 */
export const readRtmpUri = (
  uri: string,
): { readonly target: DialTarget; readonly address: RtmpAddress } | null => {
  const scheme = /^(rtmps?):\/\//i.exec(uri)?.[1]?.toLowerCase()
  // Parses the URL as ws:, because URL knows the host and port rules of that scheme.
  const url = scheme === undefined ? null : URL.parse(uri.replace(/^rtmps?:/i, 'ws:'))
  if (url === null || (scheme !== 'rtmp' && scheme !== 'rtmps')) return null
  const path = url.pathname.slice(1)
  const slash = path.lastIndexOf('/')
  const app = slash === -1 ? '' : decode(path.slice(0, slash))
  const isExplicit80 = /^[a-z]+:\/\/[^/?#]*:80(?:[/?#]|$)/i.test(uri)
  const port = url.port !== '' ? Number(url.port) : isExplicit80 ? 80 : defaultPorts[scheme]
  const named = port === defaultPorts[scheme] ? url.hostname : `${url.hostname}:${port}`
  return {
    target: { hostname: hostOf(url), port, isTls: scheme === 'rtmps' },
    address: {
      app,
      streamName: decode(path.slice(slash + 1)) + url.search,
      tcUrl: `${scheme}://${named}/${app}`,
    },
  }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
