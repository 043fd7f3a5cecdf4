export const playbackIssues = {
  not_pixels: 'must be a number of pixels such as 640',
  page_url_missing: 'is required: the URL of the page to embed',
  not_seconds: 'must be a number of seconds from the start, such as 12.5',
  not_fit: 'must be contain or cover',
  cover_needs_size: 'can be cover only together with width and height',
  too_long_after_start: 'must be at most {seconds} seconds after start',
} as const
