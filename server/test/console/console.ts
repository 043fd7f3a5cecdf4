import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Role } from '@zoetrope/vocabulary'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { goodPassword, newPerson } from '../../src/accounts/identity/test-support/people.ts'
import { closePages, openBrowser } from '../support/browser.ts'
import type { TestServer } from '../support/test-server.ts'

export interface Visit {
  readonly page: Page
  /**
   * Requirements of every screen: no request to another host, no browser error, no WCAG 2.2 AA violation that
   * axe can find.
   */
  readonly expectSound: () => Promise<void>
  /** Checks the open dialog alone, without the screen behind it, also in dark mode. */
  readonly expectSoundDialog: () => Promise<void>
  /** What axe finds on the page: all of it, or the contrasts alone, which are those of the colour scheme. */
  readonly violations: (rules?: 'all' | 'contrast') => Promise<string[]>
  /** Ignores errors that the test itself provokes, such as responses of a stopped server. */
  readonly forgive: (what: RegExp) => void
  readonly close: () => Promise<void>
}

export interface VisitOptions {
  readonly role?: Role
  readonly dark?: boolean
  readonly language?: 'en' | 'de'
  readonly width?: number
  readonly height?: number
  /** Null = signed out. */
  readonly as?: Person | null
}

interface Person {
  readonly email: string
  readonly cookie: string
}

export interface Console {
  /** Opens a new browser context with a signed-in user at a path such as `/projects`. */
  readonly visit: (path: string, options?: VisitOptions) => Promise<Visit>
  readonly stop: () => Promise<void>
}

export { goodPassword }

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const wcag = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
const contrast = { type: 'rule', values: ['color-contrast'] }

const violationsOn = async (page: Page, runOnly: object, within = 'html'): Promise<string[]> => {
  // The script is half a megabyte, so each page loads it once.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(axePath, 'utf8'))
  // Colours in between, after a change of the scheme, have other contrasts.
  await page.waitForFunction(() =>
    document.getAnimations().every((one) => !(one instanceof CSSTransition) || one.playState !== 'running'),
  )
  return page.evaluate(
    async ([rules, context]) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run: (
            context: string,
            options: object,
          ) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
        }
      }
      const { violations } = await axe.run(context, { runOnly: rules, resultTypes: ['violations'] })
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    },
    [runOnly, within] as const,
  )
}

/** Controls, except links in text, that are smaller than a thumb needs: 44 px. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = [
      ...document.querySelectorAll('main :is(button, [role=tab], [role=menuitem], input, select)'),
    ]
    return controls.flatMap((control) => {
      // A label is part of its switch, and a field with tags part of its box.
      const box = '[class*=Switch-root], [class*=Checkbox-root], [class*=Radio-root], [class*=Input-wrapper]'
      const target =
        (control.matches('input') ? (control.closest('label') ?? control.closest(box)) : null) ?? control
      const { width, height } = target.getBoundingClientRect()
      // Hidden inputs have no size, and a tag is removed with the keyboard, too.
      if (
        width <= 1 ||
        height <= 1 ||
        // Only for keyboards and screen readers, as the heads of columns are.
        control.closest('thead')?.getBoundingClientRect().width === 1 ||
        control.closest('[class*=pill i]') !== null ||
        (height >= 43.5 && width >= 43.5)
      )
        return []
      const name = control.getAttribute('aria-label') ?? control.textContent
      return [`${control.tagName} "${name}" ${Math.round(width)} × ${Math.round(height)}`]
    })
  })

/** Phone: nothing overflows, and every control except links in text is at least 44 px. */
export const expectReachable = async (page: Page): Promise<void> => {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(await smallTargets(page)).toEqual([])
}

/** Starts Chromium for the console of this server. The console was built before the tests started. */
export const startConsole = async (server: TestServer): Promise<Console> => {
  const browser = await openBrowser()
  const people = new Map<Role, Promise<Person>>()
  const personWith = (role: Role): Promise<Person> => {
    const person = people.get(role) ?? newPerson(server, { role })
    people.set(role, person)
    return person
  }

  const visit = async (path: string, options: VisitOptions = {}): Promise<Visit> => {
    const { role = 'Administrator', dark = false, language = 'en', width = 1280, height = 800 } = options
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      locale: language,
      reducedMotion: 'reduce',
      acceptDownloads: true,
      // The headless build of Chromium cannot ask for it, so copying would fail.
      permissions: ['clipboard-write'],
    })
    const person = options.as === undefined ? await personWith(role) : options.as
    if (person !== null)
      await context.addCookies(
        person.cookie.split('; ').map((pair) => {
          const [name = '', value = ''] = pair.split(/=(.*)/s)
          return { name, value, url: server.url }
        }),
      )
    const page = await context.newPage()
    const complaints: string[] = []
    const forgiven: RegExp[] = []
    const hosts = new Set<string>()
    page.on('request', (sent) => {
      if (sent.url().startsWith('http')) hosts.add(new URL(sent.url()).host)
    })
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${server.url}/console${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    return {
      page,
      forgive: (what) => forgiven.push(what),
      violations: (rules = 'all') => violationsOn(page, rules === 'all' ? wcag : contrast),
      expectSound: async () => {
        expect([...hosts]).toEqual([new URL(server.url).host])
        expect(complaints.filter((text) => !forgiven.some((what) => what.test(text)))).toEqual([])
        expect(await violationsOn(page, wcag)).toEqual([])
      },
      expectSoundDialog: async () => {
        expect(await violationsOn(page, wcag, '[role=dialog]')).toEqual([])
        await page.emulateMedia({ colorScheme: 'dark' })
        expect(await violationsOn(page, contrast, '[role=dialog]')).toEqual([])
        await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
      },
      close: () => context.close(),
    }
  }

  return { visit, stop: () => closePages(browser) }
}
