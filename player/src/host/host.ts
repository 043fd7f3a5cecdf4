import { parseCommand, protocolVersion, type Command, type HostEvent } from './protocol.ts'

/** The page that frames this one, if any does. */
export interface Host {
  readonly tell: (event: HostEvent, fields?: Readonly<Record<string, unknown>>) => void
}

/**
 * Only the window that frames this one is heard, and only it is told anything; which sites may frame it is decided by the policy of the page.
 * With `origin` in the address, only while that site is in the window.
 */
export const connectHost = (origin: string | null, obey: (command: Command) => void): Host => {
  const { parent } = window
  if (parent === window) return { tell: () => undefined }
  addEventListener('message', (event) => {
    if (event.source !== parent || (origin !== null && event.origin !== origin)) return
    const command = parseCommand(event.data)
    if (command !== null) obey(command)
  })
  return {
    tell: (event, fields = {}) =>
      parent.postMessage({ zoetrope: protocolVersion, event, ...fields }, origin ?? '*'),
  }
}
