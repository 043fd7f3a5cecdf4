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
      summary: 'Delete a project; with --cascade its files too',
      destroys: 'delete project',
    }),
    restore: operationCommand('restoreProject', ofProjects),
  },
}

export const watermark: Noun = {
  summary: 'The picture that is burnt into all videos of a project',
  verbs: {
    get: operationCommand('getWatermark'),
    set: operationCommand('updateWatermark', {
      summary: 'Set the picture, its corner, size and opacity',
      details:
        'It is in everything that is encoded from now on. Files that are there get it by `files retry <id> --force`.\n\n  ./zoetrope watermark set --project 2 --file logo.png --position top-right --width 12',
      file: { as: 'base64', field: 'Picture', help: 'a PNG of 512 KiB at most' },
    }),
    delete: operationCommand('deleteWatermark', { destroys: 'delete the watermark' }),
  },
}

export const logo: Noun = {
  summary: 'The picture in a corner of the player of a project',
  verbs: {
    set: operationCommand('updateLogo', {
      summary: 'Set the picture, its corner and where it leads',
      details:
        'All players of the project have it at their next start. `projects get` shows it as PlayerTheme.Logo.\n\n  ./zoetrope logo set --project 2 --file logo.png --position top-left --link https://www.example.com/',
      file: { as: 'base64', field: 'Picture', help: 'a PNG, JPEG or WebP of 512 KiB at most' },
    }),
    delete: operationCommand('deleteLogo', { destroys: 'delete the logo' }),
  },
}
