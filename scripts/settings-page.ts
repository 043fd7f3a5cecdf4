import { settings } from '../server/src/app/config/config.ts'

/** Settings that the processes of one tree pass to each other. */
const internal = new Set(['ZOETROPE_EMBEDDED_CONNECTION', 'ZOETROPE_SUPERVISOR_ID'])

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** docs/settings.md, generated from the settings table that config.ts reads. */
export const settingsPage = (): string => {
  const rows = Object.values(settings)
    .filter(({ name }) => !internal.has(name))
    .map(({ name, fallback, description, isSecret }) => {
      const value = fallback === '' ? '' : `\`${fallback}\``
      return `| \`${name}\` | ${value} | ${cell(description)}${isSecret === true ? ' Secret.' : ''} |`
    })
  return [
    '# Settings',
    '',
    'Zoetrope reads settings from the environment, then from `zoetrope.config` in the data folder (lines of `NAME=value`), then uses the defaults. An invalid value',
    'stops the start with an error message. `npm run settings` generates this page.',
    '',
    'A secret can also be in a file, as with the secrets of Docker and Kubernetes: `DATABASE_URL_FILE=/run/secrets/database-url` in the environment. Zoetrope does not start if the file is empty. If both are set, the variable is used, and Zoetrope warns at its start.',
    '',
    '| setting | default | description |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
