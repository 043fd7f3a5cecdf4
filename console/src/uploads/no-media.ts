/**
 * Extensions that never hold video or audio. Ambiguous ones are missing: `.ts` is MPEG-TS or TypeScript,
 * `.gif`, `.png`, `.webp` and `.avif` may be animations, `.iso` may be a DVD. The server examines the bytes
 * of those.
 */
const endings = [
  ...['txt', 'md', 'rtf', 'csv', 'tsv', 'log', 'pdf', 'epub', 'doc', 'docx', 'odt', 'pages'],
  ...['xls', 'xlsx', 'ods', 'numbers', 'ppt', 'pptx', 'odp', 'key'],
  ...['html', 'htm', 'css', 'js', 'mjs', 'cjs', 'jsx', 'tsx', 'json', 'yaml', 'yml', 'toml', 'ini', 'sql'],
  ...['py', 'rb', 'php', 'java', 'c', 'h', 'cpp', 'cs', 'go', 'rs', 'sh', 'bat', 'ps1', 'ipynb'],
  ...['zip', 'rar', '7z', 'tar', 'gz', 'tgz', 'bz2', 'xz', 'exe', 'msi', 'dmg', 'apk', 'deb', 'rpm'],
  ...[
    'jpg',
    'jpeg',
    'heic',
    'tif',
    'tiff',
    'bmp',
    'svg',
    'psd',
    'ai',
    'srt',
    'vtt',
    'ttf',
    'otf',
    'woff',
    'woff2',
  ],
]
const noMedia = new Set(endings)

/** Uses the name, because browsers derive the type from the name too. A media type always counts as media. */
export const isClearlyNoMedia = ({ name, type }: Pick<File, 'name' | 'type'>): boolean => {
  if (/^(video|audio)\//.test(type)) return false
  const dot = name.lastIndexOf('.')
  return dot > 0 && noMedia.has(name.slice(dot + 1).toLowerCase())
}
