/** Where a source is to be fetched from, taken apart. */
export interface SourceUri {
  /** For the request: without user and fragment. */
  readonly url: string
  /** The user and password that stood in it. */
  readonly authorization: string | null
  /** For everybody to see: a query is where signed URLs have their signature. */
  readonly shown: string
  /** Its last path element; null when it has none. */
  readonly fileName: string | null
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Null when it is no absolute URL. */
export const parseSourceUri = (text: string): SourceUri | null => {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const { username, password, origin, pathname } = url
  const authorization =
    username === '' && password === ''
      ? null
      : `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`
  url.username = ''
  url.password = ''
  url.hash = ''
  const last = decode(pathname.split('/').at(-1) ?? '')
  return {
    url: url.href,
    authorization,
    shown: origin === 'null' ? `${url.protocol}${pathname}` : `${origin}${pathname}`,
    fileName: last === '' ? null : last,
  }
}
