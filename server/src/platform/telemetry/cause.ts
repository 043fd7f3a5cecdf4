import { AsyncLocalStorage } from 'node:async_hooks'

/** Where work comes from. It is passed on to the jobs and events that the work causes, and to their own jobs and events. */
export interface Cause {
  readonly requestId: string | null
  /** The current span, in the format of W3C Trace Context. Null without tracing. */
  readonly traceparent: string | null
}

const causes = new AsyncLocalStorage<Cause>()
const unknown: Cause = { requestId: null, traceparent: null }

export const runWithCause = <T>(cause: Cause, work: () => T): T => causes.run(cause, work)

export const currentCause = (): Cause => causes.getStore() ?? unknown
