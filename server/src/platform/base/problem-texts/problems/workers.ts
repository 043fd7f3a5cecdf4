export const workersProblems = {
  worker_token_invalid: [
    'unauthorized',
    'The worker token is malformed, revoked or from another installation. Create a new one with ./zoetrope worker-token create.',
  ],
  worker_paused: [
    'forbidden',
    'This worker is paused: {cause} Fix the cause, then run ./zoetrope worker-token resume on the server.',
  ],
  worker_job_lost: ['conflict', 'This job has ended or belongs to another worker now. Request the next job.'],
  worker_result_refused: ['invalid', 'The result does not match the job: {detail}'],
  worker_segment_too_large: ['too_large', 'This segment may have {maxBytes} bytes at most.'],
  worker_digest_wrong: ['invalid', 'The body does not match its Content-Digest. Send it again.'],
  worker_length_missing: ['invalid', 'A segment requires Content-Length and Content-Digest (sha-256).'],
  worker_requests_limited: [
    'rate_limited',
    'This worker has too many requests in progress. Try again later.',
  ],
} as const
