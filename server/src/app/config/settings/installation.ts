import { embeddedConnection, flag, httpUrl, integer, oneOf, optional, setting, text } from './setting.ts'

export const installationSettings = {
  dataFolder: setting('ZOETROPE_DATA', './data', text, 'Folder for all data of Zoetrope on this machine.'),
  host: setting('ZOETROPE_HOST', '127.0.0.1', text, 'Address to listen on; 0.0.0.0 for all interfaces.'),
  port: setting(
    'ZOETROPE_PORT',
    '8080',
    integer(1, 65_535),
    'TCP port of the API, the playout and the console.',
  ),
  publicUrl: setting(
    'ZOETROPE_PUBLIC_URL',
    '',
    httpUrl,
    'URL at which browsers and back ends reach this installation. All URLs in records begin with it. Default: http://localhost:<port>.',
  ),
  isDemoWanted: setting(
    'ZOETROPE_DEMO',
    '1',
    flag,
    'Create the project "Demo" with a sample video on the first start.',
  ),
  logLevel: setting(
    'ZOETROPE_LOG_LEVEL',
    'info',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const),
    'Lowest level of log messages. They are JSON lines on standard error, or in zoetrope.log in the data folder when `up` runs on a terminal.',
  ),
  hasAccessLog: setting(
    'ZOETROPE_ACCESS_LOG',
    '0',
    flag,
    'Log one JSON line for each request to an api process, at level info.',
  ),
} as const

export const processSettings = {
  embeddedConnection: setting(
    'ZOETROPE_EMBEDDED_CONNECTION',
    '',
    embeddedConnection,
    'Internal: address of the embedded PostgreSQL.',
    true,
  ),
  supervisorId: setting(
    'ZOETROPE_SUPERVISOR_ID',
    '',
    optional,
    'Internal: the id that the supervisor gives to each start of a process.',
  ),
  logFile: setting('ZOETROPE_LOG_FILE', '', optional, 'Log file, instead of standard error.'),
  stopDelaySeconds: setting(
    'ZOETROPE_STOP_DELAY_SECONDS',
    '0',
    integer(0, 600),
    'How long an api or live process still serves everything after SIGTERM, while /readyz returns 503. Behind a load balancer, set it to more than the time in which the balancer notices this. ZOETROPE_DRAIN_SECONDS begin afterwards.',
  ),
  drainSeconds: setting(
    'ZOETROPE_DRAIN_SECONDS',
    '20',
    integer(0, 3_600),
    'How long running requests and jobs may take to finish after SIGTERM.',
  ),
} as const
