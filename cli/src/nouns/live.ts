import type { Noun } from '../command.ts'
import { testVerb } from '../live/test-verb.ts'
import { operationCommand } from '../operations/operation-command.ts'

export const live: Noun = {
  summary: 'The live stream of a project',
  verbs: {
    status: operationCommand('getLiveStatus'),
    ingest: operationCommand('getLiveIngest', {
      summary: 'Show its settings, and what goes into the encoder',
    }),
    update: operationCommand('updateLiveIngest', { summary: 'Change its settings' }),
    'reset-key': operationCommand('resetLiveKey', {
      summary: 'Make a new stream key; who sends with the old one is cut off',
      destroys: 'reset the stream key',
    }),
    output: operationCommand('getLiveOutput', { summary: 'Show where it plays' }),
    sign: operationCommand('signLiveOutput', { summary: 'Make signed links for one viewer' }),
    test: testVerb,
    stop: operationCommand('stopLive', {
      summary: 'End the broadcast',
      destroys: 'end the broadcast',
    }),
    'start-recording': operationCommand('startLiveRecording'),
    'stop-recording': operationCommand('stopLiveRecording'),
    clip: operationCommand('clipLive', { summary: 'Make the last seconds a file' }),
    log: operationCommand('listLiveLog', { columns: ['Id', 'OccurredAt', 'Level', 'Code', 'Message'] }),
    recordings: operationCommand('listLiveRecordings', {
      columns: ['Id', 'Kind', 'Title', 'State', 'FileId', 'StartedAt', 'EndedAt'],
    }),
  },
}

export const targets: Noun = {
  summary: 'Where a live stream is sent on to (simulcast)',
  verbs: {
    list: operationCommand('listLiveTargets', { columns: ['Id', 'Label', 'URI', 'IsEnabled'] }),
    create: operationCommand('createLiveTarget'),
    get: operationCommand('getLiveTarget'),
    update: operationCommand('updateLiveTarget'),
    delete: operationCommand('deleteLiveTarget', { destroys: 'delete target' }),
  },
}
