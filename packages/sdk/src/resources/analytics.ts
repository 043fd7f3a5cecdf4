import type { operations } from '../generated/api.ts'
import { exportViews, streamViews, type ExportOptions } from '../export-views.ts'
import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

type AnalyticsMetric = operations['getAnalytics']['parameters']['path']['metric']

export const createAnalytics = (http: HttpClient) => ({
  /** Returns a metric over time, or by project, file or dimension. */
  get: (metric: AnalyticsMetric, query: Query<'getAnalytics'> = {}, options?: RequestOptions) =>
    http.call('getAnalytics', { path: { metric }, query, options }),
  /** Returns views in groups of several dimensions. */
  breakdown: (query: Query<'getAnalyticsBreakdown'> = {}, options?: RequestOptions) =>
    http.call('getAnalyticsBreakdown', { query, options }),
  /** Returns the current viewers. */
  realtime: (query: Query<'getRealtimeAnalytics'> = {}, options?: RequestOptions) =>
    http.call('getRealtimeAnalytics', { query, options }),
  /** Lists views that have ended. */
  listViews: (query?: Query<'listViews'>, options?: RequestOptions) =>
    list(http, 'listViews', 'Views', { query, options }),
  /** Yields all views that have ended, in the order in which they ended, without pages. */
  streamViews: (query?: Query<'exportViews'>, options?: ExportOptions) => streamViews(http, query, options),
  /** Returns all views that have ended as a stream of bytes: NDJSON or CSV. */
  exportViews: (query?: Query<'exportViews'>, options?: ExportOptions) => exportViews(http, query, options),
  ofFile: (
    projectId: number,
    fileId: number,
    query: Query<'getFileAnalytics'> = {},
    options?: RequestOptions,
  ) => http.call('getFileAnalytics', { path: { projectId, fileId }, query, options }),
  retention: (
    projectId: number,
    fileId: number,
    query: Query<'getFileRetention'> = {},
    options?: RequestOptions,
  ) => http.call('getFileRetention', { path: { projectId, fileId }, query, options }),
  heatmap: (
    projectId: number,
    fileId: number,
    query: Query<'getFileHeatmap'> = {},
    options?: RequestOptions,
  ) => http.call('getFileHeatmap', { path: { projectId, fileId }, query, options }),
  hotspots: (
    projectId: number,
    fileId: number,
    query: Query<'getFileHotspots'> = {},
    options?: RequestOptions,
  ) => http.call('getFileHotspots', { path: { projectId, fileId }, query, options }),
  /** Lists alert rules with their state. */
  listAlerts: (query?: Query<'listAlerts'>, options?: RequestOptions) =>
    list(http, 'listAlerts', 'Alerts', { query, options }),
  /** Creates a rule on a metric of the last minutes. */
  createAlert: (body: Body<'createAlert'>, options?: RequestOptions) =>
    http.call('createAlert', { body, options }),
  getAlert: (alertId: number, options?: RequestOptions) =>
    http.call('getAlert', { path: { alertId }, options }),
  updateAlert: (alertId: number, body: Body<'updateAlert'>, options?: RequestOptions) =>
    http.call('updateAlert', { path: { alertId }, body, options }),
  deleteAlert: (alertId: number, options?: RequestOptions) =>
    http.call('deleteAlert', { path: { alertId }, options }),
})
