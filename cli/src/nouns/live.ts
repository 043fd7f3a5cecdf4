import type { Noun } from '../command.ts'
import { testVerb } from '../live/test-verb.ts'
import { operationCommand } from '../operations/operation-command.ts'

export const live: Noun = {
  summary: 'The live stream of a project',
  verbs: {
    status: operationCommand('getLiveStatus'),
    ingest: operationCommand('getLiveIngest', {
      summary: 'Show the settings, including those for the encoder',
    }),
    update: operationCommand('updateLiveIngest', { summary: 'Change the settings' }),
    'reset-key': operationCommand('resetLiveKey', {
      summary: 'Create a new stream key; an encoder with the old one is disconnected',
      destroys: 'reset the stream key',
    }),
    output: operationCommand('getLiveOutput', { summary: 'Show playback URLs and embed codes' }),
    sign: operationCommand('signLiveOutput', { summary: 'Create signed links for a viewer' }),
    'revoke-token': operationCommand('revokeLiveToken', { summary: 'Revoke signed links by their TokenId' }),
    test: testVerb,
    stop: operationCommand('stopLive', {
      summary: 'End the broadcast',
      destroys: 'end the broadcast',
    }),
    'start-recording': operationCommand('startLiveRecording'),
    'stop-recording': operationCommand('stopLiveRecording'),
    clip: operationCommand('clipLive', { summary: 'Save the last seconds as a file' }),
    log: operationCommand('listLiveLog', { columns: ['Id', 'OccurredAt', 'Level', 'Code', 'Message'] }),
    recordings: operationCommand('listLiveRecordings', {
      columns: ['Id', 'Kind', 'Title', 'State', 'FileId', 'StartedAt', 'EndedAt'],
    }),
  },
}

export const targets: Noun = {
  summary: 'Simulcast targets of a live stream',
  verbs: {
    list: operationCommand('listLiveTargets', { columns: ['Id', 'Label', 'URI', 'IsEnabled'] }),
    create: operationCommand('createLiveTarget'),
    get: operationCommand('getLiveTarget'),
    update: operationCommand('updateLiveTarget'),
    delete: operationCommand('deleteLiveTarget', { destroys: 'delete target' }),
  },
}
