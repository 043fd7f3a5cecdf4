export interface SourceUri {
  /** URL for the request, without user and fragment. */
  readonly url: string
  readonly authorization: string | null
  /** Safe to show to all users: omits the query, which contains the signature of signed URLs. */
  readonly shown: string
  readonly fileName: string | null
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns null for a text that is not an absolute URL. */
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
