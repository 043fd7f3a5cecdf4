import { canReplace } from '../engine/addresses.ts'
import { connectHost } from '../host/host.ts'
import { fill } from '../locales/texts.ts'
import type { PageTools } from '../page-tools.ts'
import { clockText } from '../ui/clock-text.ts'
import { element, write } from '../ui/dom.ts'
import { hasStaleLink, showProblem, type ProblemReason } from './problem-card.ts'

/** A longer countdown is not useful. */
const countdownWithinMs = 3_600_000
/** Spreads the requests of all viewers who wait for the same moment. */
const spreadMs = 2_000

/** The viewer's form of the language, such as British dates for English. */
const localeOf = (language: string): string =>
  navigator.languages.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language

const linkPath = /^\/s\/([^/]+)/

/** The signed link of the page. Empty without one. */
const linkNow = (): string => decodeURIComponent(linkPath.exec(location.pathname)?.[1] ?? '')

/** Opens the page again. `token` is a renewed signed link. */
const openAgain = ({ token, isStart }: { readonly token?: string; readonly isStart?: boolean }): void => {
  const url = new URL(location.href)
  if (token !== undefined)
    url.pathname = url.pathname.replace(linkPath, () => `/s/${encodeURIComponent(token)}`)
  // A page that sends the refused link again would otherwise make the player load without end.
  if (token !== undefined && url.href === location.href) return
  // A viewer who waited for the start wants to see it.
  if (isStart === true && !url.searchParams.has('autoplay')) url.searchParams.set('autoplay', '1')
  location.replace(url)
}

/** Opens the page at its moment, by the clock of the server. */
const waitForStart = (waitMs: number, countdown: HTMLElement, text: string): void => {
  const startsAtMs = performance.now() + waitMs + Math.random() * spreadMs
  const tick = (): void => {
    const leftMs = startsAtMs - performance.now()
    if (leftMs <= countdownWithinMs)
      write(countdown, fill(text, { time: clockText(Math.max(0, leftMs) / 1_000) }))
    if (leftMs > 0) return
    clearInterval(timer)
    openAgain({ isStart: true })
  }
  const timer = setInterval(tick, 1_000)
  tick()
}

/** The page that the server sends instead of the player when it refuses the playout. */
export const openProblemPage = (main: HTMLElement, { options, texts }: PageTools): void => {
  const place = main.querySelector<HTMLElement>('#message')
  const { reason: given = 'unavailable', support = null, opensAt, waitMs } = main.dataset
  const reason = given as ProblemReason
  if (place === null) return
  const words = texts.problems[reason]
  const date =
    opensAt === undefined
      ? ''
      : new Intl.DateTimeFormat(localeOf(document.documentElement.lang), {
          dateStyle: 'long',
          timeStyle: 'short',
        })
          .format(new Date(opensAt))
          // A line break inside of the date would make it hard to read.
          .replaceAll(' ', '\u00a0')
  const title = fill(words.title, { date })
  // Screen readers must not announce each second.
  const countdown = element('p', { class: 'countdown', role: 'timer', 'aria-live': 'off' })
  countdown.hidden = true
  document.title = title
  const isExpired = reason === 'expired'
  const host = connectHost(options.hostOrigin, (command) => {
    if (command.command !== 'setToken' || linkNow() === '') return
    if (!isExpired || canReplace(linkNow(), command.token)) openAgain({ token: command.token })
  })
  // A reload also asks the embedding page for a new link again.
  const isFinal = reason === 'upcoming' || reason === 'site' || hasStaleLink(reason)
  const retry = isFinal ? null : () => location.reload()
  showProblem(place, texts, { reason, supportId: support, title, extra: countdown, retry }, 'h1')
  host.send(isExpired ? 'tokenExpired' : 'error', {
    code: isExpired ? 'expired' : 'refused',
    reason,
    message: title,
    supportId: support,
    ...(opensAt === undefined ? {} : { opensAt }),
  })
  if (waitMs !== undefined) waitForStart(Number(waitMs), countdown, texts.problems.startsIn)
}
