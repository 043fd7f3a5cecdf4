import { fillText, type Cause, type ParamsOf } from '@zoetrope/vocabulary'
import { issueTexts } from './problem-texts/issue-texts.ts'
import { problemTexts } from './problem-texts/problem-texts.ts'

/** The closed set of expected request failures; `statusOf` maps each to one HTTP status. */
export type ProblemCode =
  | 'invalid'
  | 'unauthorized'
  | 'key_expired'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'stale'
  | 'too_large'
  | 'quota_exceeded'
  | 'unsupported_media_type'
  | 'timeout'
  | 'range_not_satisfiable'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'storage_full'

export const statusOf = {
  invalid: 400,
  // The API answers a wrong content type with 400 and never uses 415.
  unsupported_media_type: 400,
  unauthorized: 401,
  key_expired: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  stale: 412,
  too_large: 413,
  quota_exceeded: 413,
  range_not_satisfiable: 416,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const satisfies Record<ProblemCode, number>

type IssueTexts = typeof issueTexts
/** The text of an issue follows the name of the field, so that of the problem begins with it. */
type Texts = typeof problemTexts & {
  readonly [Reason in keyof IssueTexts]: readonly ['invalid', `{field} ${IssueTexts[Reason]}.`]
}

export type IssueReason = keyof IssueTexts
export type ProblemReason = keyof Texts
export type ProblemParams = Readonly<Record<string, string | number | Cause>>

export const allProblemTexts: Texts = {
  ...problemTexts,
  ...(Object.fromEntries(
    Object.entries(issueTexts).map(([reason, text]) => [reason, ['invalid', `{field} ${text}.`]]),
  ) as unknown as Texts),
}

export const isProblemReason = (value: unknown): value is ProblemReason =>
  typeof value === 'string' && Object.hasOwn(allProblemTexts, value)

/** The parameters may be left out when the text has none. */
type Optional<Params, Rest extends readonly unknown[]> = keyof Params extends never
  ? [params?: Params, ...rest: Partial<Rest>]
  : [params: Params, ...rest: Partial<Rest>]

export interface Issue {
  readonly reason: IssueReason
  readonly params: ProblemParams
}

export interface ProblemDetail {
  readonly field: string
  /** Follows the name of the field; without a full stop. */
  readonly issue: string
  readonly reason: ProblemReason
  readonly params: ProblemParams
}

/** Statuses of other protocols (tus, CMCD) that the API does not use. */
export type ProtocolStatus = 410 | 412 | 415 | 460

export interface ProblemOptions {
  readonly status?: ProtocolStatus
  readonly details?: readonly ProblemDetail[]
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

const textWith = (text: string, params: ProblemParams): string =>
  fillText(
    text,
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'object' ? (value.text ?? value.reason) : value,
      ]),
    ),
  )

/** Clients get a cause without its text. */
const withoutTexts = (params: ProblemParams): ProblemParams =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'object' ? { reason: value.reason, params: value.params } : value,
    ]),
  )

/** A failure that the caller may see: `message` states what is wrong and what to do. */
export class Problem<Reason extends ProblemReason = ProblemReason> extends Error {
  readonly code: ProblemCode
  readonly reason: ProblemReason
  readonly params: ProblemParams
  readonly status: number
  readonly details: readonly ProblemDetail[]
  readonly headers: Readonly<Record<string, string>>

  constructor(reason: Reason, ...args: Optional<ParamsOf<Texts[Reason][1]>, [options: ProblemOptions]>) {
    const [params = {}, options = {}] = args as [ProblemParams?, ProblemOptions?]
    const [code, text] = allProblemTexts[reason]
    // A cause at the end has a full stop of its own.
    super(textWith(text, params).replace(/\.\.$/, '.'), { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.reason = reason
    this.params = withoutTexts(params)
    this.status = options.status ?? statusOf[code]
    this.details = options.details ?? []
    this.headers = options.headers ?? {}
  }
}

export const issue = <Reason extends IssueReason>(
  reason: Reason,
  ...[params]: Optional<ParamsOf<IssueTexts[Reason]>, []>
): Issue => ({ reason, params: params ?? {} })

export const issueText = ({ reason, params }: Issue): string =>
  textWith(issueTexts[reason], params).replace(/\.$/, '')

export const detailOf = (field: string, found: Issue): ProblemDetail => ({
  field,
  issue: issueText(found),
  reason: found.reason,
  params: withoutTexts(found.params),
})

/** Returns the problem of something that is not a field, such as `The body`. */
export const invalidSubject = (
  subject: string,
  { reason, params }: Issue,
  details: readonly ProblemDetail[] = [],
): Problem => new Problem(reason, { field: subject, ...params } as never, { details })

export const invalidValue = (field: string, found: Issue): Problem =>
  invalidSubject(field, found, [detailOf(field, found)])

export const invalidField = <Reason extends IssueReason>(
  field: string,
  reason: Reason,
  ...params: Optional<ParamsOf<IssueTexts[Reason]>, []>
): Problem => invalidValue(field, issue(reason, ...params))
