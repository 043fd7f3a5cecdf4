/**
 * `<script src="…/embed.js" data-playout="…" async></script>` becomes a player in the available width. All
 * other `data-…` attributes are options of the player (docs/embed.md). The script runs on a foreign page, so
 * it touches only its own frame.
 */

const permissions = 'autoplay; fullscreen; picture-in-picture'
const ownNames = new Set(['playout', 'token', 'ratio', 'title', 'page'])

/** The attribute `data-data-campaign` is the option `data-campaign`, a custom dimension of analytics. */
const optionOf = (name: string): string =>
  /^data[A-Z]/.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : name

const addressOf = ({ src, dataset }: HTMLScriptElement, playout: string): URL => {
  const { token } = dataset
  const before = token === undefined ? '' : `/s/${encodeURIComponent(token)}`
  const address = new URL(`${before}/embed/${encodeURIComponent(playout)}`, src)
  for (const [name, value] of Object.entries(dataset))
    if (!ownNames.has(name) && value !== undefined) address.searchParams.set(optionOf(name), value)
  // `data-page` without a value stands for the path of this page.
  const { page } = dataset
  if (page !== undefined) address.searchParams.set('page', page === '' ? location.pathname : page)
  // A shared link of the page starts the video where it was shared.
  const sharedAt = dataset['share'] === undefined ? null : new URLSearchParams(location.search).get('t')
  if (sharedAt !== null) address.searchParams.set('t', sharedAt)
  address.searchParams.set('origin', location.origin)
  return address
}

const script = document.currentScript
if (script instanceof HTMLScriptElement) {
  const { playout, ratio, title } = script.dataset
  if (playout !== undefined) {
    const frame = document.createElement('iframe')
    frame.src = addressOf(script, playout).href
    frame.title = title ?? 'Video'
    frame.allow = permissions
    frame.allowFullscreen = true
    // Sets styles through the DOM, because the page policy may forbid inline styles.
    Object.assign(frame.style, { display: 'block', width: '100%', border: '0' })
    frame.style.aspectRatio = ratio?.replace(':', ' / ') ?? '16 / 9'
    if (ratio === undefined || title === undefined)
      addEventListener('message', ({ source, data }: MessageEvent) => {
        const message = data as {
          zoetrope?: unknown
          event?: unknown
          ratio?: unknown
          title?: unknown
        } | null
        if (source !== frame.contentWindow || message?.zoetrope !== 1 || message.event !== 'ready') return
        if (ratio === undefined && typeof message.ratio === 'number')
          frame.style.aspectRatio = String(message.ratio)
        if (title === undefined && typeof message.title === 'string') frame.title = message.title
      })
    script.replaceWith(frame)
  }
}
