/** Why a webhook request failed although the receiver answered. */
export const webhooksMessages = {
  receiver_answered: 'The receiver answered {status} instead of 2xx.',
  receiver_gone: 'The receiver answered 410 Gone, so the webhook was disabled.',
  receiver_redirected:
    'The receiver answered with the redirect {status}, which is never followed; enter the final URL.',
} as const
