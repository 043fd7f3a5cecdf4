import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { candidatesOf, parseHosts, parseSearchList, type SearchList } from './parse-name-files.ts'

/** All addresses of a name, in the order in which to try them. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export interface NameSources {
  readonly hostsFile: string
  /** Where the search domains stand. */
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
/** The files and the servers may change while we run: another network, another set of containers. */
const rememberedMs = 30_000

const readIfThere = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

const readSources = async ({ hostsFile, resolvConfFile, servers }: NameSources): Promise<KnownSources> => {
  const [hosts, resolvConf] = await Promise.all([readIfThere(hostsFile), readIfThere(resolvConfFile)])
  const resolver = new Resolver({ timeout: firstAnswerMs, tries })
  if (servers !== null) resolver.setServers(servers)
  return { resolver, hosts: parseHosts(hosts), search: parseSearchList(resolvConf) }
}

/** There is no such name, or none with an address; everything else may be different a moment later. */
const absentCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
const isAbsent = (error: unknown): boolean => absentCodes.has((error as { code?: string }).code ?? '')

/** With the codes of getaddrinfo: those of the DNS client read as if the target itself had refused or been slow. */
const lookupError = (name: string, cause: unknown): Error =>
  Object.assign(new Error(`no address of ${name} was found`, { cause }), {
    code: isAbsent(cause) ? 'ENOTFOUND' : 'EAI_AGAIN',
  })

/** In turn, so that the first few are of both families. */
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
 * Finds names as the machine does (hosts file, search domains, DNS servers), but not by getaddrinfo: that holds one of few threads for as long
 * as a server keeps silent, and a few names of one tenant would stop the lookups of all, and the disk with them. Here a silent server costs a
 * socket's wait and no thread.
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
    // RFC 6761 6.3: never a question for the DNS.
    if (bare === 'localhost' || bare.endsWith('.localhost')) return ['127.0.0.1', '::1']
    let failure: unknown
    for (const candidate of candidatesOf(name, search)) {
      try {
        return await askDns(resolver, candidate)
      } catch (error) {
        // A server that is silent now would be so for each of them.
        if (!isAbsent(error)) throw error
        failure = error
      }
    }
    throw failure
  }
}
