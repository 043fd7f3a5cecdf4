import { decimal, httpUrl, integer, optional, setting, text } from './setting.ts'

export const monitoringSettings = {
  metricsToken: setting(
    'ZOETROPE_METRICS_TOKEN',
    '',
    optional,
    'Token for /metrics of the api processes: Prometheus sends it as `Authorization: Bearer`. Without it, only workers and live nodes serve metrics, on their own ports.',
    true,
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '',
    httpUrl,
    'OpenTelemetry collector that takes traces (OTLP over HTTP with JSON), such as http://collector.example.com:4318. Default: no traces.',
  ),
  otlpHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    '',
    text,
    'Headers for the collector, such as api-key=…; a comma-separated list with percent-encoded values.',
    true,
  ),
  traceRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    decimal(0, 1),
    'Share of the traces that Zoetrope sends to the collector, from 0 to 1.',
  ),
  traceServiceName: setting('OTEL_SERVICE_NAME', 'zoetrope', text, 'Name of this installation in traces.'),
  workerPort: setting(
    'ZOETROPE_WORKER_PORT',
    '0',
    integer(0, 65_535),
    'TCP port for /healthz, /readyz and /metrics of a worker. 0 = disabled.',
  ),
  liveHealthPort: setting(
    'ZOETROPE_LIVE_HEALTH_PORT',
    '0',
    integer(0, 65_535),
    'TCP port for /healthz, /readyz and /metrics of a live node. 0 = disabled.',
  ),
} as const
