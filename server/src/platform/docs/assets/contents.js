/** Marks the place of the reader in both lists of contents. */

const contents = document.querySelector('#contents')
const showPlace = () => contents.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
contents.addEventListener('toggle', showPlace)
showPlace()

const places = [...document.querySelectorAll('aside a')].map((link) => ({
  link,
  heading: document.getElementById(decodeURIComponent(link.hash.slice(1))),
}))
/** Slightly below the place of a heading after a jump to it. */
const readingLinePixels = 100

/** The last headings of a page never reach the top: at the end of the page, it is the one in the address, or the last. */
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
