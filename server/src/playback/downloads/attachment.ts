/**
 * Returns a Content-Disposition value with an ASCII name for old clients and the exact name for all others
 * (RFC 6266, section 4.1; RFC 8187).
 */
export const attachment = (name: string): string => {
  const plain = name.replace(/[^ -~]|["\\%]/gu, '_')
  const exact = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
