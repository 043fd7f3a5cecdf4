import { describe, expect, test } from 'vitest'
import { aboutView } from './about-view.ts'

const read = (...about: Parameters<typeof aboutView>) =>
  Object.fromEntries(new URLSearchParams(aboutView(...about)))

describe('what the page says about its views', () => {
  test('is the player alone on a page of its own', () => {
    expect(read('?muted=1&origin=https://a.example', 'https://search.example/?q=1', false)).toEqual({
      player: 'zoetrope',
    })
  })

  test.each([
    ['the referrer', '', 'https://www.example.com/'],
    ['the option of the embed script', '?origin=https://www.example.com', ''],
  ])('has the site around its frame, from %s', (_name, search, referrer) => {
    expect(read(search, referrer, true)).toEqual({ player: 'zoetrope', page: 'https://www.example.com' })
  })

  test('has a path only if the page names it', () => {
    expect(read('?page=/spring', 'https://www.example.com/secret', true).page).toBe(
      'https://www.example.com/spring',
    )
    for (const path of ['//evil.example', 'spring', ''])
      expect(read(`?page=${path}`, '', false).page).toBeUndefined()
  })

  test('has ten custom dimensions at most, whatever they contain', () => {
    expect(read('?data-campaign=Fr%C3%BChling%20%26%20mehr&campaign=no', '', false)).toEqual({
      player: 'zoetrope',
      'data-campaign': 'Frühling & mehr',
    })
    const many = Array.from({ length: 12 }, (_, index) => `data-d${index}=1`).join('&')
    expect(Object.keys(read(`?${many}`, '', false))).toHaveLength(11)
  })
})
