import { parseCommand, protocolVersion, type Command, type HostEvent } from './protocol.ts'

export interface Host {
  readonly send: (event: HostEvent, fields?: Readonly<Record<string, unknown>>) => void
}

/**
 * Exchanges messages only with the embedding window; the page policy decides which sites may embed. With
 * `origin` in the URL, only that site may send and receive.
 */
export const connectHost = (origin: string | null, obey: (command: Command) => void): Host => {
  const { parent } = window
  if (parent === window) return { send: () => undefined }
  addEventListener('message', (event) => {
    if (event.source !== parent || (origin !== null && event.origin !== origin)) return
    const command = parseCommand(event.data)
    if (command !== null) obey(command)
  })
  return {
    send: (event, fields = {}) =>
      parent.postMessage({ zoetrope: protocolVersion, event, ...fields }, origin ?? '*'),
  }
}
