import { decimal, httpUrl, integer, optional, setting, smtpUrl, syslogTarget, text } from './setting.ts'

export const accountSettings = {
  sessionIdleHours: setting(
    'ZOETROPE_SESSION_IDLE_HOURS',
    '24',
    decimal(0.05, 8_760),
    'How long a session lasts without requests. Then the user must sign in again.',
  ),
  sessionMaxDays: setting(
    'ZOETROPE_SESSION_MAX_DAYS',
    '30',
    decimal(0.01, 365),
    'Longest duration of a session.',
  ),
  smtpUrl: setting(
    'ZOETROPE_SMTP_URL',
    '',
    smtpUrl,
    'SMTP server for e-mails, such as smtps://user:password@mail.example.com or smtp://mail.example.com:587. Empty = no e-mails.',
    true,
  ),
  mailFrom: setting(
    'ZOETROPE_MAIL_FROM',
    '',
    text,
    'Sender of e-mails, such as Zoetrope <video@example.com>. Required with ZOETROPE_SMTP_URL.',
  ),
  breachedPasswordsUrl: setting(
    'ZOETROPE_BREACHED_PASSWORDS_URL',
    '',
    httpUrl,
    'Range API of breached passwords, such as https://api.pwnedpasswords.com/range. New passwords that it lists are refused. It receives five digits of a SHA-1, never a password. Empty = no check.',
  ),
  signInsPerMinute: setting(
    'ZOETROPE_SIGN_INS_PER_MINUTE',
    '10',
    integer(0, 10_000_000),
    'Failed sign-ins per minute and address, over all nodes. Above it, the address must wait. 0 = no limit.',
  ),
  auditRetentionDays: setting(
    'ZOETROPE_AUDIT_RETENTION_DAYS',
    '365',
    decimal(1, 36_500),
    'How long audit log entries are kept.',
  ),
  auditSyslog: setting(
    'ZOETROPE_AUDIT_SYSLOG',
    '',
    syslogTarget,
    'Syslog receiver of the audit log (RFC 5424): tls://host:6514, tcp://host:514 or udp://host:514. Workers send every entry of all accounts (docs/sign-in.md). Default: none.',
  ),
  auditSyslogCaFile: setting(
    'ZOETROPE_AUDIT_SYSLOG_CA',
    '',
    optional,
    'PEM file of the certificate authority that signs the certificate of that receiver. Default: the authorities of Node.js.',
  ),
} as const
