import type { MailTexts } from './mail-kinds.ts'

export const english: MailTexts = {
  invitation: {
    subject: 'You are invited to {account}',
    paragraphs: [
      '{inviter} has invited you to {account} on Zoetrope.',
      'Choose a password to create your user account.',
    ],
    action: 'Accept invitation',
    notes: ['The link works once, until {expiresAt}.', 'If you did not expect this invitation, ignore it.'],
  },
  'password-link': {
    subject: 'Set your password',
    paragraphs: ['You can set a new password for your user account in {account} on Zoetrope.'],
    action: 'Set password',
    notes: [
      'The link works once, until {expiresAt}.',
      'If you did not ask for it, ignore this message. Your password is unchanged.',
    ],
  },
  'new-sign-in': {
    subject: 'New sign-in to your user account',
    paragraphs: [
      'Your user account was used to sign in from a browser that Zoetrope does not know.',
      'Time: {at}\nIP address: {address}\nBrowser: {browser}',
    ],
    action: 'Review sessions',
    notes: [
      'If this was you, you do not need to do anything. Otherwise, end the session and change your password now.',
    ],
  },
  'key-created': {
    subject: 'New API key “{label}”',
    paragraphs: [
      '{creator} created the API key “{label}” for your user account.',
      'Time: {at}\nIP address: {address}',
    ],
    action: 'Review API keys',
    notes: ['If you did not expect this key, revoke it.'],
  },
  'app-added': {
    subject: 'New authenticator app',
    paragraphs: [
      'An authenticator app was added to your user account. To sign in with your password, you now also need a code from this app.',
      'Time: {at}\nIP address: {address}',
    ],
    action: 'Review security',
    notes: ['If this was not you, remove the app and change your password now.'],
  },
  'passkey-added': {
    subject: 'New passkey “{name}”',
    paragraphs: [
      'The passkey “{name}” was added to your user account. It can be used to sign in without your password.',
      'Time: {at}\nIP address: {address}',
    ],
    action: 'Review security',
    notes: ['If this was not you, remove the passkey and change your password now.'],
  },
  'codes-refused': {
    subject: 'Wrong codes for your user account',
    paragraphs: [
      'Five wrong codes were entered for your user account, after your password or in one of your sessions. Further attempts are delayed.',
      'Time: {at}\nIP address: {address}',
    ],
    action: 'Review security',
    notes: [
      'If this was not you, another person knows your password or uses your session. Change your password now, which ends all other sessions.',
    ],
  },
  'password-changed': {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your user account was changed. All other sessions have ended.',
      'Time: {at}\nIP address: {address}',
    ],
    action: 'Review security',
    notes: ['If this was not you, set a new password now with “Forgot your password?”.'],
  },
  'email-changed': {
    subject: 'The e-mail address of your user account was changed',
    paragraphs: [
      '{changer} changed the e-mail address of your user account to {email}. From now on, sign in with this address.',
      'Time: {at}\nIP address: {address}',
    ],
    notes: ['If you did not expect this, contact an administrator of your account now.'],
  },
  'webhook-disabled': {
    subject: 'Webhook {webhook} was disabled',
    paragraphs: [
      'Zoetrope has disabled the webhook {webhook}, because its endpoint failed for a long time or is gone.',
      'Time: {at}\nReason: {reason}',
    ],
    action: 'Open webhook',
    notes: ['Pending deliveries are kept. They are sent when you enable the webhook again.'],
  },
  'quota-reached': {
    subject: 'Project {project} has almost used up its storage',
    paragraphs: [
      'The project {project} uses {usedGigabytes} GB of its quota of {quotaGigabytes} GB.',
      'When the quota is used up, uploads are refused.',
    ],
    action: 'Open usage',
    notes: ['Delete files, or raise the quota of the project.'],
  },
  test: {
    subject: 'Test message from Zoetrope',
    paragraphs: ['This installation can send e-mails: {host}.'],
  },
}
