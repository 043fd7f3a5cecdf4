/** Why the source of a file could not be fetched. */
export const pullsMessages = {
  pull_retried_later: '{cause} The next attempt is at {at}.',
  pull_tried_repeatedly: '{cause} It was tried {count} times.',
  source_never_fetched: 'The source could not be fetched, even after many attempts.',
  source_uri_invalid: 'The SourceURI is not a URL.',
  source_late: 'The source did not arrive within {hours} hours.',
  source_too_slow: 'The source sent less than {leastBytes} bytes in {seconds} seconds, which is too slow.',
  source_empty: 'The source is empty.',
  source_size_differs: 'The source has {totalBytes} bytes, but FileSize said {expectedBytes}.',
  source_too_large: 'The source has more than the {maxBytes} bytes that a file may have.',
  source_ended_early: 'The source ended after {receivedBytes} of {totalBytes} bytes.',
  source_redirects_too_often: '{host} redirects more than {maxRedirects} times.',
  source_redirects_nowhere: '{host} redirects to something that is not a URL.',
  source_not_available: '{host} answered {status}.',
  source_needs_credentials: '{host} answered {status}: the URL may not be read without credentials.',
  source_not_found: '{host} answered {status}: there is nothing at this URL.',
  source_answer_unexpected: '{host} answered {status} instead of the file.',
} as const
