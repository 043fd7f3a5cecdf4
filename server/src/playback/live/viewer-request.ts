import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request of a viewer to an api process, or to a live node. */
export interface ViewerRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly id: string
  /** Address of the viewer; undefined when it has disconnected. */
  readonly address: string | undefined
  /** Whether the response depends on the Origin header. */
  readonly variesByOrigin: boolean
  /** Must be called before anything is written to `response`. */
  readonly takeResponse: () => void
}
