import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

/** The live stream of a project. Each project has exactly one. */
export const createLive = (http: HttpClient) => ({
  /** Returns the connection data of the encoder and the settings of the stream. */
  ingest: (projectId: number, options?: RequestOptions) =>
    http.call('getLiveIngest', { path: { projectId }, options }),
  /** Changes only the given fields; null sets the default. */
  updateIngest: (projectId: number, body: Body<'updateLiveIngest'>, options?: RequestOptions) =>
    http.call('updateLiveIngest', { path: { projectId }, body, options }),
  /** Replaces the stream key. The old key stops working, and a publisher that uses it is disconnected. */
  resetKey: (projectId: number, options?: RequestOptions) =>
    http.call('resetLiveKey', { path: { projectId }, options }),
  output: (projectId: number, options?: RequestOptions) =>
    http.call('getLiveOutput', { path: { projectId }, options }),
  /** Returns links for viewers of a project with TokenSecurity. */
  signOutput: (projectId: number, body: Body<'signLiveOutput'>, options?: RequestOptions) =>
    http.call('signLiveOutput', { path: { projectId }, body, options }),
  /** Ends signed links before they expire, by the TokenId of their signature. */
  revokeToken: (projectId: number, tokenId: string, options?: RequestOptions) =>
    http.call('revokeLiveToken', { path: { projectId, token: tokenId }, options }),
  status: (projectId: number, options?: RequestOptions) =>
    http.call('getLiveStatus', { path: { projectId }, options }),
  stop: (projectId: number, options?: RequestOptions) =>
    http.call('stopLive', { path: { projectId }, options }),
  startRecording: (projectId: number, options?: RequestOptions) =>
    http.call('startLiveRecording', { path: { projectId }, options }),
  stopRecording: (projectId: number, options?: RequestOptions) =>
    http.call('stopLiveRecording', { path: { projectId }, options }),
  /** Saves the last seconds of the stream as a file. */
  clip: (projectId: number, body: Body<'clipLive'>, options?: RequestOptions) =>
    http.call('clipLive', { path: { projectId }, body, options }),
  log: (projectId: number, query?: Query<'listLiveLog'>, options?: RequestOptions) =>
    list(http, 'listLiveLog', 'LogEntries', { path: { projectId }, query, options }),
  recordings: (projectId: number, query?: Query<'listLiveRecordings'>, options?: RequestOptions) =>
    list(http, 'listLiveRecordings', 'Recordings', { path: { projectId }, query, options }),
  targets: (projectId: number, query?: Query<'listLiveTargets'>, options?: RequestOptions) =>
    list(http, 'listLiveTargets', 'Targets', { path: { projectId }, query, options }),
  createTarget: (projectId: number, body: Body<'createLiveTarget'>, options?: RequestOptions) =>
    http.call('createLiveTarget', { path: { projectId }, body, options }),
  target: (projectId: number, targetId: number, options?: RequestOptions) =>
    http.call('getLiveTarget', { path: { projectId, targetId }, options }),
  updateTarget: (
    projectId: number,
    targetId: number,
    body: Body<'updateLiveTarget'>,
    options?: RequestOptions,
  ) => http.call('updateLiveTarget', { path: { projectId, targetId }, body, options }),
  deleteTarget: (projectId: number, targetId: number, options?: RequestOptions) =>
    http.call('deleteLiveTarget', { path: { projectId, targetId }, options }),
})
