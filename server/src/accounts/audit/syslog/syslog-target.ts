/** A receiver of syslog, from a URL such as `tls://logs.example.com:6514`. */
export interface SyslogTarget {
  readonly transport: 'tcp' | 'tls' | 'udp'
  readonly host: string
  readonly port: number
}

/** RFC 5425 and RFC 5426; TCP has no registered port, and 514 is customary. */
const usualPorts = { tcp: 514, tls: 6514, udp: 514 } as const

/** Returns null for anything that is not such a URL. */
export const parseSyslogTarget = (text: string): SyslogTarget | null => {
  const match = /^(tcp|tls|udp):\/\/(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::(\d{1,5}))?$/.exec(text)
  if (match === null) return null
  const transport = match[1] as SyslogTarget['transport']
  const port = match[3] === undefined ? usualPorts[transport] : Number(match[3])
  if (port < 1 || port > 65_535) return null
  return { transport, host: (match[2] ?? '').replace(/^\[|\]$/g, ''), port }
}
