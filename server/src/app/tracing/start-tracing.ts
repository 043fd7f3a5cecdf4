import { setRunObserver } from '@zoetrope/ffmpeg'
import { openSpan, setTracer, type Attributes, type StartSpan } from '../../platform/telemetry/tracing.ts'
import { product } from '../../platform/base/version.ts'
import type { Config } from '../config/config.ts'

const loadLibraries = async () => {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  return { ...api, ...sdk, OTLPTraceExporter, resourceFromAttributes }
}

type Libraries = Awaited<ReturnType<typeof loadLibraries>>

/** W3C Trace Context, version 00. */
const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

const parentContext = (
  { ROOT_CONTEXT, trace, isSpanContextValid }: Libraries,
  traceparent: string | null,
  isRemote: boolean,
) => {
  const [, traceId = '', spanId = '', flags = '0'] = traceparentPattern.exec(traceparent ?? '') ?? []
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote }
  return isSpanContextValid(context) ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT
}

const withoutNulls = (attributes: Attributes): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(attributes).filter(
      (entry): entry is [string, string | number | boolean] => entry[1] !== null,
    ),
  )

/** `name=value,name=value` with percent-encoded values, as OTEL_EXPORTER_OTLP_HEADERS defines it. */
const parsePairs = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.includes('='))
      .map((pair) => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
      }),
  )

/**
 * Sends spans to an OpenTelemetry collector if an endpoint is set. Only then are the libraries loaded. Returns a
 * function that sends the remaining spans and stops.
 */
export const startTracing = async (
  config: Pick<Config, 'otlpEndpoint' | 'otlpHeaders' | 'traceRatio' | 'traceServiceName'>,
  role: string,
): Promise<() => Promise<void>> => {
  if (config.otlpEndpoint === null) return async () => {}
  const libraries = await loadLibraries()
  const { SpanKind, SpanStatusCode, TracerProvider, BatchSpanProcessor } = libraries
  const exporter = new libraries.OTLPTraceExporter({
    url: `${config.otlpEndpoint}/v1/traces`,
    headers: parsePairs(config.otlpHeaders),
  })
  const byRatio = new libraries.TraceIdRatioBasedSampler(config.traceRatio)
  const provider = new TracerProvider({
    resource: libraries.resourceFromAttributes({
      'service.name': config.traceServiceName,
      'service.version': product.version,
      'service.instance.id': `${role}-${process.pid}`,
      'zoetrope.role': role,
    }),
    // Clients choose the trace, but not that it is sampled: that would let anyone fill the collector.
    sampler: new libraries.ParentBasedSampler({ root: byRatio, remoteParentSampled: byRatio }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('zoetrope')
  const kinds = {
    internal: SpanKind.INTERNAL,
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    consumer: SpanKind.CONSUMER,
  }
  const startSpan: StartSpan = (name, { kind = 'internal', attributes = {}, parent = null }) => {
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes: withoutNulls(attributes) },
      parentContext(libraries, parent, kind === 'server'),
    )
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      traceparent: `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`,
      set: (more) => void span.setAttributes(withoutNulls(more)),
      end: (error) => {
        if (error !== undefined) {
          // The message of an error may have addresses or names of customers; the log has it.
          span.setStatus({ code: SpanStatusCode.ERROR })
          span.setAttribute('error.type', error instanceof Error ? error.name : 'Error')
        }
        span.end()
      },
    }
  }
  setTracer(startSpan)
  setRunObserver((program) => {
    const span = openSpan(program)
    return ({ exitCode }) => {
      span?.set({ 'process.exit.code': exitCode })
      span?.end(exitCode === 0 ? undefined : new Error(program))
    }
  })
  return async () => {
    setTracer(null)
    setRunObserver(null)
    await provider.shutdown().catch(() => {})
  }
}
