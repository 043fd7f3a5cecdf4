import { expect, test } from 'vitest'
import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import { audioRenditions, audioTracks } from './audio-manifests.ts'

const row = (id: number, changes: Partial<RenditionRow>): RenditionRow =>
  ({ id, kind: 'audio', position: 0, label: null, language: null, channels: 2, ...changes }) as RenditionRow

const menu = (rows: RenditionRow[]) =>
  audioRenditions(audioTracks(rows), ({ id }) => `${id}/playlist.m3u8`).map(
    ({ name, language, isDefault, isAutoselect, uri }) =>
      [uri, name, language ?? '-', ...(isDefault ? ['default'] : []), ...(isAutoselect ? ['auto'] : [])].join(
        ' ',
      ),
  )

test('audioRenditions makes the track at the first position the default', () => {
  const rows = [
    row(1, { position: 1, language: 'en', label: 'English' }),
    row(2, { language: 'de', label: 'German' }),
    row(3, { kind: 'video' }),
  ]
  expect(menu(rows)).toEqual(['2/playlist.m3u8 Deutsch de default auto', '1/playlist.m3u8 English en auto'])
})

test('audioRenditions sets AUTOSELECT only on the first of two tracks in one language', () => {
  const rows = [
    row(1, { language: 'en', label: 'English' }),
    row(2, { position: 1, language: 'en', label: 'Commentary' }),
  ]
  expect(menu(rows)).toEqual(['1/playlist.m3u8 English en default auto', '2/playlist.m3u8 Commentary en'])
})

test('audioTracks lists a track once while a new run replaces a killed one', () => {
  expect(menu([row(8, { label: 'English' }), row(5, { label: 'English' })])).toEqual([
    '5/playlist.m3u8 English - default auto',
  ])
})

test('audioRenditions gives unlabelled tracks distinct names', () => {
  expect(menu([row(1, {}), row(2, { position: 1 })])).toEqual([
    '1/playlist.m3u8 Audio - default auto',
    '2/playlist.m3u8 Audio (2) -',
  ])
})

test('audioRenditions gives tracks distinct names even when a label equals a generated name', () => {
  const rows = ['A', 'A (3)', 'A', 'A', 'A "3"', "A '3'"].map((label, index) =>
    row(index + 1, { position: index, label }),
  )
  const names = audioRenditions(audioTracks(rows), () => '').map(({ name }) => name)
  expect(names.slice(0, 4)).toEqual(['A', 'A (3)', 'A (4)', 'A (5)'])
  expect(new Set(names).size).toBe(rows.length)
})
