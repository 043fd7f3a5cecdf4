import type { Command, Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

const invite: Command = operationCommand('createInvitation', {
  summary: 'Create an invitation and show the link to send, once',
  details: '  ./zoetrope users invite --email anna@example.com --role SeniorEditor',
  note: 'Send the link yourself: it is not shown again.',
})

export const users: Noun = {
  summary: 'The people of the account',
  verbs: {
    list: operationCommand('listUsers', {
      columns: ['Id', 'Email', 'Name', 'Role', 'IsEnabled', 'LastSignInAt'],
    }),
    invite,
    create: operationCommand('createUser'),
    get: operationCommand('getUser'),
    update: operationCommand('updateUser'),
    delete: operationCommand('deleteUser', { destroys: 'delete user' }),
    'password-link': operationCommand('createPasswordLink', {
      summary: 'Make a link by which somebody sets a new password, and show it, once',
    }),
    me: operationCommand('getMe', { summary: 'Show whom this API key stands for, and what it may do' }),
    'update-me': operationCommand('updateMe', { summary: 'Change the name of whom this API key stands for' }),
  },
}

export const invitations: Noun = {
  summary: 'Who was invited, and who has come',
  verbs: {
    list: operationCommand('listInvitations', {
      columns: ['Id', 'Email', 'Role', 'Status', 'CreatedAt', 'ExpiresAt'],
    }),
    create: invite,
    get: operationCommand('getInvitation'),
    revoke: operationCommand('revokeInvitation', { destroys: 'revoke invitation' }),
  },
}

export const sessions: Noun = {
  summary: 'Where people are signed in to the console',
  verbs: {
    list: operationCommand('listSessions', {
      columns: ['Id', 'UserId', 'Address', 'UserAgent', 'LastUsedAt', 'ExpiresAt'],
    }),
    end: operationCommand('endSession', { destroys: 'end session' }),
  },
}

export const audit: Noun = {
  summary: 'The log of administrative acts',
  verbs: {
    list: operationCommand('listAuditEntries', {
      columns: ['Id', 'OccurredAt', 'Action', 'User.Email', 'Subject', 'SubjectId', 'Address'],
    }),
  },
}
