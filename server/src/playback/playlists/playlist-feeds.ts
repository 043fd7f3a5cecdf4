import { feedUris } from '../../library/playlists/playlist-record.ts'
import type { ElementRow, PlaylistRow } from '../../library/playlists/playlist-row.ts'
import { playoutUris } from '../../library/files/record/parts/playout-record.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { hlsType } from '../responses/send-media.ts'

export interface Feed {
  readonly playlist: PlaylistRow
  readonly elements: readonly ElementRow[]
  /** Base URL of the feed, including a token in its path. */
  readonly ownUrl: string
  /** Base URL of an element, which has its own token. */
  readonly elementUrl: (playoutId: string) => string
}

interface Item {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly hls: string
  readonly embed: string
  readonly image: string | null
  readonly thumbnail: string | null
  readonly lengthSeconds: number | null
  readonly tags: readonly string[]
  readonly language: string | null
  readonly publishedAt: Date
  readonly updatedAt: Date
}

const languageTag = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/

const toItem = ({ elementUrl }: Feed, element: ElementRow): Item => {
  const { metadata, playoutId, pictureId } = element
  const { hls, embed } = playoutUris(elementUrl(playoutId), playoutId)
  const picture = pictureId === null ? null : `${elementUrl(playoutId)}/p/${pictureId}`
  return {
    id: `urn:uuid:${playoutId}`,
    title: metadata.DisplayTitle === '' ? metadata.Title : metadata.DisplayTitle,
    description: metadata.Description,
    hls,
    embed,
    image: picture === null ? null : `${picture}/poster.jpg`,
    thumbnail: picture === null ? null : `${picture}/thumb.jpg`,
    lengthSeconds: element.lengthSeconds,
    tags: metadata.Tags,
    language: languageTag.test(metadata.NativeLanguage) ? metadata.NativeLanguage : null,
    publishedAt: metadata.IsPublicAt === null ? element.createdAt : new Date(metadata.IsPublicAt),
    updatedAt: element.updatedAt,
  }
}

/** Feed readers identify items by id, so a repeated element appears once. */
const itemsOf = (feed: Feed): Item[] => {
  const items = new Map(feed.elements.map((element) => [element.playoutId, element]))
  return [...items.values()].map((element) => toItem(feed, element))
}

/** Returns a JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/); each attachment is an HLS stream. */
export const jsonFeed = (feed: Feed): string => {
  const { playlist, ownUrl } = feed
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: playlist.name,
    ...(playlist.description === '' ? {} : { description: playlist.description }),
    home_page_url: playoutUris(ownUrl, playlist.playout_id).embed,
    feed_url: feedUris(ownUrl, playlist).JSON,
    items: itemsOf(feed).map((item) => ({
      id: item.id,
      url: item.embed,
      title: item.title,
      content_text: item.description,
      ...(item.image === null ? {} : { image: item.image }),
      date_published: toTimestamp(item.publishedAt),
      date_modified: toTimestamp(item.updatedAt),
      ...(item.tags.length === 0 ? {} : { tags: item.tags }),
      ...(item.language === null ? {} : { language: item.language }),
      attachments: [
        {
          url: item.hls,
          mime_type: hlsType,
          title: item.title,
          ...(item.lengthSeconds === null ? {} : { duration_in_seconds: item.lengthSeconds }),
        },
      ],
    })),
  })
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0, section 2.2: most control characters are invalid even as references, so they are removed. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\P{Cc}\u007f-\u009f]|[\ufffe\uffff]/gu, '')
    .replace(/[&<>"]/g, (character) => entities[character] ?? character)

const element = (name: string, text: string | null): string[] =>
  text === null || text === '' ? [] : [`<${name}>${xml(text)}</${name}>`]

const attributes = (values: Readonly<Record<string, string | number | null>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}="${xml(String(value))}"`)
    .join('')

const mrssItem = (item: Item): string[] => [
  '<item>',
  ...element('title', item.title),
  ...element('link', item.embed),
  `<guid isPermaLink="false">${item.id}</guid>`,
  `<pubDate>${item.publishedAt.toUTCString()}</pubDate>`,
  ...element('description', item.description),
  `<media:content${attributes({
    url: item.hls,
    type: hlsType,
    duration: item.lengthSeconds === null ? null : Math.round(item.lengthSeconds),
    lang: item.language,
  })}>`,
  ...element('media:title', item.title),
  ...element('media:description', item.description),
  `<media:player${attributes({ url: item.embed })}/>`,
  ...(item.thumbnail === null ? [] : [`<media:thumbnail${attributes({ url: item.thumbnail })}/>`]),
  ...element('media:keywords', item.tags.map((tag) => tag.replaceAll(',', ' ')).join(', ')),
  '</media:content>',
  '</item>',
]

/** Returns RSS 2.0 with Media RSS 1.5.1 (https://www.rssboard.org/media-rss). */
export const mrssFeed = (feed: Feed): string => {
  const { playlist, ownUrl } = feed
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    `<title>${xml(playlist.name)}</title>`,
    `<link>${xml(playoutUris(ownUrl, playlist.playout_id).embed)}</link>`,
    `<description>${xml(playlist.description)}</description>`,
    `<atom:link${attributes({ href: feedUris(ownUrl, playlist).MRSS, rel: 'self', type: 'application/rss+xml' })}/>`,
    ...itemsOf(feed).flatMap(mrssItem),
    '</channel>',
    '</rss>',
  ].join('\n')}\n`
}
