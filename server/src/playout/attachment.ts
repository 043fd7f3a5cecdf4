/** RFC 6266, 4.1: a name for old programs, and the right one (RFC 8187) for all others. */
export const attachment = (name: string): string => {
  const plain = name.replace(/[^ -~]|["\\%]/gu, '_')
  const exact = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
