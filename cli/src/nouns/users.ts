import type { Command, Noun } from '../command.ts'
import { auditStreamVerb } from '../events/audit-stream-verb.ts'
import { operationCommand } from '../operations/operation-command.ts'

const invite: Command = operationCommand('createInvitation', {
  summary: 'Create an invitation and show its link once',
  details: '  ./zoetrope users invite --email anna@example.com --role SeniorEditor',
  note: 'Send the link to the person now: it is not shown again.',
})

export const users: Noun = {
  summary: 'Users of the account',
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
      summary: 'Create a link with which a user sets a password, and show it once',
    }),
    'reset-factors': operationCommand('resetFactors', {
      summary: 'Remove the passkeys and codes of a user who lost them',
      destroys: 'remove the factors of user',
    }),
    'sign-in-policy': operationCommand('getSignInPolicy', {
      summary: 'Show whether sign-in with a password requires a second factor',
    }),
    'set-sign-in-policy': operationCommand('updateSignInPolicy', {
      summary: 'Require a second factor for sign-in with a password, or stop requiring it',
      flags: { RequiresTwoFactors: 'two-factors' },
    }),
    me: operationCommand('getMe', { summary: 'Show user and permissions of this API key' }),
    'update-me': operationCommand('updateMe', { summary: 'Change the name of the user of this API key' }),
  },
}

export const invitations: Noun = {
  summary: 'Invitations and password links',
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
  summary: 'Sign-in sessions of users',
  verbs: {
    list: operationCommand('listSessions', {
      columns: ['Id', 'UserId', 'Address', 'UserAgent', 'LastUsedAt', 'ExpiresAt'],
    }),
    end: operationCommand('endSession', { destroys: 'end session' }),
  },
}

export const audit: Noun = {
  summary: 'The audit log',
  verbs: {
    list: operationCommand('listAuditEntries', {
      columns: ['Id', 'OccurredAt', 'Action', 'User.Email', 'Subject', 'SubjectId', 'Address'],
    }),
    stream: auditStreamVerb,
  },
}
