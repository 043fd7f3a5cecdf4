import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

export const playlists: Noun = {
  summary: 'Ordered lists of files, manual or by rules',
  verbs: {
    list: operationCommand('listPlaylists', {
      columns: ['Id', 'Name', 'Type', 'ReleaseStatus', 'ElementCount', 'TotalLength'],
    }),
    create: operationCommand('createPlaylist'),
    preview: operationCommand('previewPlaylist'),
    get: operationCommand('getPlaylist'),
    update: operationCommand('updatePlaylist'),
    add: operationCommand('addPlaylistElements', {
      summary: 'Add files',
      details: `  ./zoetrope playlists add 4 --set 'Elements=[{"FileId": 5}, {"FileId": 6}]' --position 0`,
    }),
    delete: operationCommand('deletePlaylist', { destroys: 'delete playlist' }),
    restore: operationCommand('restorePlaylist'),
    playouts: operationCommand('listPlaylistPlayouts', {
      columns: ['Id', 'Label', 'IsDefault', 'HLS', 'EmbedURI'],
    }),
    sign: operationCommand('signPlaylistPlayout', { summary: 'Create signed links for a viewer' }),
    'revoke-token': operationCommand('revokePlaylistToken', {
      summary: 'Revoke signed links by their TokenId',
    }),
  },
}
