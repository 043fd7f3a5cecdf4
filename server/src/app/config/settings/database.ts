import { ConfigError, derivedKeys, integer, masterKeys, oneOf, setting } from './setting.ts'

const postgresUrl = (value: string, name: string): string | null => {
  if (value === '') return null
  // The driver also connects to sockets: /var/run/postgresql database, or socket:/var/run/postgresql?db=database.
  if (/^(?:socket:|\/)/.test(value)) return value
  // The driver accepts an empty host. The messages do not repeat the value, which contains a password.
  if (!/^postgres(?:ql)?:\/\//.test(value))
    throw new ConfigError(`${name} must be a URL such as postgres://user:password@host/database`)
  if (!URL.canParse(value.replace('@/', '@localhost/')))
    throw new ConfigError(
      `${name} is not a valid URL. Encode special characters of the password, such as # as %23 and / as %2F`,
    )
  return value
}

export const databaseSettings = {
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    postgresUrl,
    'External PostgreSQL 15 or newer (postgres://…). Default: the embedded server in the data folder.',
    true,
  ),
  databaseRoles: setting(
    'ZOETROPE_DATABASE_ROLES',
    'auto',
    oneOf(['auto', 'required', 'off'] as const),
    'How the processes log in to PostgreSQL (docs/operations.md). auto: each process has its own login with only the rights that it needs, if the user in DATABASE_URL can create logins; required: refuse to start without these logins; off: all processes log in as the user in DATABASE_URL.',
  ),
  migrations: setting(
    'ZOETROPE_MIGRATIONS',
    'auto',
    oneOf(['auto', 'manual'] as const),
    'auto: `up`, and `serve` without a role, bring the database up to date at their start; manual: they refuse to start on the database of an earlier release, until you have run `./zoetrope migrate`. `serve --role …` never changes the tables.',
  ),
  databaseConnections: setting(
    'ZOETROPE_DATABASE_CONNECTIONS',
    '16',
    integer(4, 500),
    'Connections to PostgreSQL that a process may open. A worker opens up to five more.',
  ),
  masterKey: setting(
    'ZOETROPE_MASTER_KEY',
    '',
    masterKeys,
    'Key that encrypts secrets in the database: 32 bytes in base64, the same on every node. During a rotation, the old key follows after a comma. Default: created on the first start and stored in master.key in the data folder.',
    true,
  ),
  processKeys: setting(
    'ZOETROPE_PROCESS_KEYS',
    '',
    derivedKeys,
    'Keys of a worker or a live node, in place of the master key: the output of `./zoetrope process-keys worker` or `live` (docs/operations.md).',
    true,
  ),
} as const
