import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { candidatesOf, parseHosts, parseSearchList, type SearchList } from './parse-name-files.ts'

/** Returns all addresses of a name, in the order to try them. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export interface NameSources {
  readonly hostsFile: string
  readonly resolvConfFile: string
  /** Address and port of each DNS server; null = those of the system. */
  readonly servers: readonly string[] | null
}

interface KnownSources {
  readonly resolver: Resolver
  readonly hosts: ReadonlyMap<string, readonly string[]>
  readonly search: SearchList
}

const systemSources: NameSources = {
  hostsFile: '/etc/hosts',
  resolvConfFile: '/etc/resolv.conf',
  servers: null,
}

const firstAnswerMs = 3_000
const tries = 2
/** The files and servers may change at run time, for example with the network or the containers. */
const rememberedMs = 30_000

const readIfThere = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

const readSources = async ({ hostsFile, resolvConfFile, servers }: NameSources): Promise<KnownSources> => {
  const [hosts, resolvConf] = await Promise.all([readIfThere(hostsFile), readIfThere(resolvConfFile)])
  const resolver = new Resolver({ timeout: firstAnswerMs, tries })
  if (servers !== null) resolver.setServers(servers)
  return { resolver, hosts: parseHosts(hosts), search: parseSearchList(resolvConf) }
}

/** The name does not exist or has no address; any other error may be temporary. */
const absentCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
const isAbsent = (error: unknown): boolean => absentCodes.has((error as { code?: string }).code ?? '')

/**
 * Uses the codes of getaddrinfo: those of the DNS client read as if the target itself had refused or been
 * slow.
 */
const lookupError = (name: string, cause: unknown): Error =>
  Object.assign(new Error(`no address of ${name} was found`, { cause }), {
    code: isAbsent(cause) ? 'ENOTFOUND' : 'EAI_AGAIN',
  })

/** Alternates, so that the first few addresses include both families. */
const interleave = (one: readonly string[], other: readonly string[]): string[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, index) => [one[index], other[index]])
    .flat()
    .filter((address) => address !== undefined)

const askDns = async (resolver: Resolver, name: string): Promise<readonly string[]> => {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = interleave(
    ipv4.status === 'fulfilled' ? ipv4.value : [],
    ipv6.status === 'fulfilled' ? ipv6.value : [],
  )
  if (found.length > 0) return found
  const errors: unknown[] = [ipv4, ipv6].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  throw lookupError(name, errors.find((error) => !isAbsent(error)) ?? errors[0])
}

/**
 * Resolves names as the machine does (hosts file, search domains, DNS servers), but without getaddrinfo.
 * getaddrinfo occupies one of few threads while a server is silent. A few names of one tenant would stop all
 * lookups, and disk access too. Here a silent server costs a pending socket and no thread.
 */
export const createNameResolver = (sources: NameSources = systemSources): Resolve => {
  let known: { readonly untilMs: number; readonly sources: Promise<KnownSources> } | null = null

  const currentSources = (): Promise<KnownSources> => {
    if (known === null || performance.now() >= known.untilMs)
      known = { untilMs: performance.now() + rememberedMs, sources: readSources(sources) }
    return known.sources
  }

  return async (hostname) => {
    const { resolver, hosts, search } = await currentSources()
    const name = hostname.toLowerCase()
    const bare = name.replace(/\.$/, '')
    const written = hosts.get(bare)
    if (written !== undefined) return written
    // RFC 6761 6.3: localhost names are never sent to the DNS.
    if (bare === 'localhost' || bare.endsWith('.localhost')) return ['127.0.0.1', '::1']
    let failure: unknown
    for (const candidate of candidatesOf(name, search)) {
      try {
        return await askDns(resolver, candidate)
      } catch (error) {
        // A silent server would delay each of the candidates.
        if (!isAbsent(error)) throw error
        failure = error
      }
    }
    throw failure
  }
}
