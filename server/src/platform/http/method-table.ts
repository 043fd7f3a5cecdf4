import type { FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route only takes requests whose method is in `X-HTTP-Method-Override`, so `Allow` leaves it out. */
    isForOverrides?: boolean
  }
}

interface Entry {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

export interface MethodTable {
  readonly add: (method: string | readonly string[], url: string) => void
  /** Returns 405 with `Allow` when the path exists with other methods, else 404. */
  readonly problemFor: (request: FastifyRequest) => Problem
}

const toPattern = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^$()|[\]\\]/g, '\\$&')
      .replace(/\*/g, '.*')
      .replace(/:[A-Za-z]+/g, '[^/]+')}$`,
  )

/** Records the methods of each path, so that a wrong one answers 405 instead of 404. */
export const createMethodTable = (): MethodTable => {
  const entries = new Map<string, Entry>()
  return {
    add: (method, url) => {
      const entry = entries.get(url) ?? { pattern: toPattern(url), methods: new Set<string>() }
      for (const one of typeof method === 'string' ? [method] : method) entry.methods.add(one)
      entries.set(url, entry)
    },
    problemFor: (request) => {
      const path = request.url.split('?', 1)[0] ?? ''
      const allowed = new Set<string>()
      for (const { pattern, methods } of entries.values())
        if (pattern.test(path)) for (const method of methods) allowed.add(method)
      // A preflight route covers every path below it, so it does not prove that the path exists.
      if ([...allowed].every((method) => method === 'OPTIONS'))
        return new Problem('path_not_found', { path: path.slice(0, 200) })
      const allow = [...allowed].sort().join(', ')
      return new Problem(
        'method_not_allowed',
        { method: request.method, allowed: allow },
        { headers: { Allow: allow } },
      )
    },
  }
}
