import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

const ofProjects = { isOfProjects: true } as const

export const projects: Noun = {
  summary: 'Folders of media with settings of their own',
  verbs: {
    list: operationCommand('listProjects', {
      columns: ['Id', 'Name', 'FileCount', 'StorageBytes', 'IsLive', 'CreatedAt'],
    }),
    create: operationCommand('createProject'),
    get: operationCommand('getProject', ofProjects),
    update: operationCommand('updateProject', ofProjects),
    delete: operationCommand('deleteProject', {
      ...ofProjects,
      summary: 'Delete a project, with --cascade including its files',
      destroys: 'delete project',
    }),
    restore: operationCommand('restoreProject', ofProjects),
  },
}

export const watermark: Noun = {
  summary: 'The watermark that is burned into the videos of a project',
  verbs: {
    get: operationCommand('getWatermark'),
    set: operationCommand('updateWatermark', {
      summary: 'Set picture, corner, size and opacity',
      details:
        'All new encodes get the watermark. To add it to an existing file, run `files retry <id> --force`.\n\n  ./zoetrope watermark set --project 2 --file logo.png --position top-right --width 12',
      file: { as: 'base64', field: 'Picture', help: 'PNG of at most 512 KiB' },
    }),
    delete: operationCommand('deleteWatermark', { destroys: 'delete the watermark' }),
  },
}

export const logo: Noun = {
  summary: 'The logo in the player of a project',
  verbs: {
    set: operationCommand('updateLogo', {
      summary: 'Set picture, corner and link',
      details:
        'Players of the project show it at their next start. `projects get` returns it as PlayerTheme.Logo.\n\n  ./zoetrope logo set --project 2 --file logo.png --position top-left --link https://www.example.com/',
      file: { as: 'base64', field: 'Picture', help: 'PNG, JPEG or WebP of at most 512 KiB' },
    }),
    delete: operationCommand('deleteLogo', { destroys: 'delete the logo' }),
  },
}
