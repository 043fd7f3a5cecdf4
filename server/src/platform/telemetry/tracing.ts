import { currentCause, runWithCause } from './cause.ts'

export type Attributes = Readonly<Record<string, string | number | boolean | null>>

interface SpanOptions {
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer'
  readonly attributes?: Attributes
  /** W3C `traceparent` of the parent. Default: the current span. */
  readonly parent?: string | null
}

export interface Span {
  /** W3C Trace Context of this span, for its children. */
  readonly traceparent: string
  readonly set: (attributes: Attributes) => void
  /** An error marks the span as failed. */
  readonly end: (error?: unknown) => void
}

export type StartSpan = (name: string, options: SpanOptions) => Span

let startSpan: StartSpan | null = null

/** Null turns tracing off. Without it, a traced function costs one comparison more. */
export const setTracer = (tracer: StartSpan | null): void => {
  startSpan = tracer
}

export const isTracing = (): boolean => startSpan !== null

export const traceIdOf = ({ traceparent }: Span): string => traceparent.slice(3, 35)

export const openSpan = (name: string, options: SpanOptions = {}): Span | null =>
  startSpan === null ? null : startSpan(name, { parent: currentCause().traceparent, ...options })

/** Runs the work in a span. The spans, jobs and events of the work are its children. */
export const traced = async <T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> => {
  const span = openSpan(name, options)
  if (span === null) return work(null)
  try {
    const result = await runWithCause({ ...currentCause(), traceparent: span.traceparent }, () => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}
