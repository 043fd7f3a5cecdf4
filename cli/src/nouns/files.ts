import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'
import { clipVerb } from '../files/clip-verb.ts'
import { replaceVerb } from '../files/replace-verb.ts'
import { uploadVerb } from '../files/upload-verb.ts'
import { waitVerb } from '../files/wait-verb.ts'

const playoutColumns = ['Id', 'Label', 'IsDefault', 'HLS', 'EmbedURI'] as const

export const files: Noun = {
  summary: 'Video and audio files',
  verbs: {
    upload: uploadVerb,
    list: operationCommand('listFiles', {
      columns: ['Id', 'Metadata.Title', 'Status', 'EncodingProgress', 'Properties.Length', 'CreatedAt'],
    }),
    find: operationCommand('listAllFiles', {
      summary: 'Find files in all projects',
      details:
        '  ./zoetrope files find --external-id cms-4711\n  ./zoetrope files find --project 2,3 --custom-metadata department=News',
      columns: ['Id', 'ProjectId', 'ExternalId', 'Metadata.Title', 'Status', 'CreatedAt'],
      flags: { projectId: 'project' },
    }),
    create: operationCommand('createFile', {
      summary: 'Create a file without its bytes, or fetch it from a URL',
      details:
        'The response contains the upload URL. With --source-uri, Zoetrope fetches the bytes itself.\n\n  ./zoetrope files create --project 2 --source-uri https://example.com/interview.mp4',
    }),
    get: operationCommand('getFile'),
    wait: waitVerb,
    update: operationCommand('updateFile'),
    metadata: operationCommand('updateFileMetadata', {
      summary: 'Change the metadata of a file',
      details:
        'Absent fields keep their values; null clears a field.\n\n  ./zoetrope files metadata 5 --project 2 --title Opening --release-status published --set CustomMetadata.season=4',
    }),
    clip: clipVerb,
    retry: operationCommand('retryFile'),
    replace: replaceVerb,
    move: operationCommand('moveFile', {
      details: '  ./zoetrope files move 5 --project 2 --to 7',
      flags: { ProjectId: 'to' },
    }),
    delete: operationCommand('deleteFile', { destroys: 'delete file' }),
    restore: operationCommand('restoreFile'),
    playouts: operationCommand('listPlayouts', { columns: playoutColumns }),
    sign: operationCommand('signPlayout', { summary: 'Create signed links for a viewer' }),
    'revoke-token': operationCommand('revokePlayoutToken', {
      summary: 'Revoke signed links by their TokenId',
    }),
  },
}

export const captions: Noun = {
  summary: 'Subtitles and captions of a file',
  verbs: {
    list: operationCommand('listCaptions', {
      columns: ['Id', 'Language', 'Label', 'Kind', 'IsDefault', 'URI'],
    }),
    create: operationCommand('createCaption', {
      details: '  ./zoetrope captions create 5 --project 2 --language de --file opening.de.vtt',
      file: { as: 'text', field: 'Content', help: 'WebVTT or SubRip in UTF-8' },
    }),
    get: operationCommand('getCaption'),
    update: operationCommand('updateCaption', {
      file: { as: 'text', field: 'Content', help: 'WebVTT or SubRip in UTF-8' },
    }),
    delete: operationCommand('deleteCaption', { destroys: 'delete caption' }),
  },
}

export const pictures: Noun = {
  summary: 'Stills of a file, from a frame or uploaded',
  verbs: {
    list: operationCommand('listPictures', {
      columns: ['FilePictureId', 'IsStandard', 'ManualUpload', 'AspectRatioClosest', 'URI'],
    }),
    create: operationCommand('createPicture', {
      details:
        '  ./zoetrope pictures create 5 --project 2 --position 12.5\n  ./zoetrope pictures create 5 --project 2 --file poster.jpg',
      file: { as: 'body', help: 'JPEG, PNG or WebP of at most 20 MiB, instead of --position' },
    }),
    get: operationCommand('getPicture'),
    update: operationCommand('updatePicture'),
    delete: operationCommand('deletePicture', { destroys: 'delete picture' }),
  },
}
