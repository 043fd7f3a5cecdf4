import { settings } from './config.ts'
import type { Setting } from './settings/setting.ts'

/** The launcher, the command line tool and the files in `deploy` read these. */
const otherNames = [
  'ZOETROPE_API_BASE',
  'ZOETROPE_API_KEY',
  'ZOETROPE_CALLED_AS',
  'ZOETROPE_IMAGE',
  'ZOETROPE_SITE',
  'ZOETROPE_URL',
]

const knownNames = (): Set<string> =>
  new Set([
    ...otherNames,
    ...Object.values<Setting<unknown>>(settings).flatMap(({ name, isSecret = false }) =>
      isSecret ? [name, `${name}_FILE`] : [name],
    ),
  ])

/** Kubernetes adds variables such as `ZOETROPE_API_SERVICE_HOST` to each container when a service is called `zoetrope-api`. */
const isOfKubernetes = (name: string, value: string): boolean =>
  /_SERVICE_(?:HOST|PORT)|_PORT_\d+_/.test(name) || /^(?:tcp|udp|sctp):\/\//.test(value)

/** The variable takes precedence, which can hide that a secret has changed in its file. */
const explainHiddenFiles = (environment: NodeJS.ProcessEnv): string[] =>
  Object.values<Setting<unknown>>(settings)
    .filter(
      ({ name, isSecret = false }) =>
        isSecret && (environment[name] ?? '') !== '' && (environment[`${name}_FILE`] ?? '') !== '',
    )
    .map(
      ({ name }) => `${name} and ${name}_FILE are both set. ${name}_FILE has no effect: remove one of them.`,
    )

/**
 * Returns a sentence for each environment variable that has no effect: a misspelt setting that begins with `ZOETROPE_`,
 * or the file of a secret that is set itself.
 */
export const explainIneffectiveSettings = (environment: NodeJS.ProcessEnv): string[] => {
  const known = knownNames()
  const unknown = Object.entries(environment)
    .filter(
      ([name, value = '']) =>
        name.startsWith('ZOETROPE_') && !known.has(name) && !isOfKubernetes(name, value),
    )
    .map(([name]) => `${name} is not a setting and has no effect. docs/settings.md lists all settings.`)
  return [...unknown, ...explainHiddenFiles(environment)].sort()
}
