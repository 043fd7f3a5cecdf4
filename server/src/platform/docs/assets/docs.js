/** What the pages can do beside being read. Without it they can be read and searched all the same. */

const clearAfterMs = 3000

const copy = async (block, label) => {
  let said = 'Copied'
  try {
    // Only the loopback and https have a clipboard.
    await navigator.clipboard.writeText(block.textContent)
  } catch {
    getSelection()?.selectAllChildren(block)
    said = 'Selected: press Ctrl C'
  }
  label.textContent = said
  setTimeout(() => (label.textContent = ''), clearAfterMs)
}

for (const block of document.querySelectorAll('pre')) {
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  const label = document.createElement('span')
  label.className = 'status'
  label.setAttribute('role', 'status')
  frame.append(block, button, label)
  button.addEventListener('click', () => void copy(block, label))
}

const form = document.querySelector('form[role="search"]')
const input = form.querySelector('input')
const answers = document.querySelector('#answers')
let asked = new AbortController()
let pause

const close = () => {
  asked.abort()
  clearTimeout(pause)
  answers.hidden = true
}

const ask = async () => {
  asked.abort()
  asked = new AbortController()
  const query = input.value.trim()
  if (query.length < 2) return close()
  const { signal } = asked
  try {
    const answer = await fetch(`/docs/search?${new URLSearchParams({ q: query })}`, { signal })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const results = page.querySelector('#results')
    if (results === null || signal.aborted) return
    results.removeAttribute('id')
    answers.replaceChildren(results)
    answers.hidden = false
  } catch {
    // The server restarts, or the next letter came: Enter asks again.
  }
}

input.addEventListener('input', () => {
  clearTimeout(pause)
  pause = setTimeout(() => void ask(), 120)
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !answers.hidden) {
    close()
    input.focus()
  }
  if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    input.focus()
    input.select()
  }
})
document.addEventListener('click', ({ target }) => {
  if (!form.contains(target)) close()
})
answers.addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null) close()
})
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget !== null && !form.contains(relatedTarget)) close()
})
// The list of contents begins where the reader is, also when it comes by its button.
const contents = document.querySelector('#contents')
const showPlace = () => contents.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
contents.addEventListener('toggle', showPlace)
showPlace()

// Beside the text, the heading under which the reader is. At the end of a page the last ones never come to the top: there it is the one that was
// asked for, or the last.
const places = [...document.querySelectorAll('aside a')].map((link) => ({
  link,
  heading: document.getElementById(decodeURIComponent(link.hash.slice(1))),
}))
/** Somewhat below where a heading stands that was jumped to. */
const readingLinePixels = 100

const presentPlace = () => {
  const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
  const topOf = ({ heading }) => heading.getBoundingClientRect().top
  if (!isAtEnd || scrollY === 0) return places.findLast((place) => topOf(place) <= readingLinePixels)
  const wanted = places.find(({ link }) => link.hash === location.hash)
  return wanted !== undefined && topOf(wanted) >= 0 ? wanted : places.at(-1)
}

let isMarking = false
const markPlace = () => {
  isMarking = false
  const present = presentPlace()
  for (const place of places) {
    if (place === present) place.link.setAttribute('aria-current', 'location')
    else place.link.removeAttribute('aria-current')
  }
}
const markSoon = () => {
  if (!isMarking) requestAnimationFrame(markPlace)
  isMarking = true
}
if (places.length > 0) {
  for (const name of ['scroll', 'resize', 'hashchange']) addEventListener(name, markSoon, { passive: true })
  markPlace()
}
