export const notificationsProblems = {
  webhook_not_found: ['not_found', 'Webhook {webhookId} does not exist.'],
  too_many_webhooks: [
    'conflict',
    'The account has {count} webhooks, which is the maximum. Delete one first.',
  ],
  alert_not_found: ['not_found', 'Alert {alertId} does not exist.'],
  too_many_alerts: ['conflict', 'The account has {count} alerts, which is the maximum. Delete one first.'],
  webhook_disabled: ['conflict', 'Webhook {webhookId} is disabled. Enable it first.'],
  webhook_changed: ['conflict', 'Webhook {webhookId} was changed in the meantime. Try again.'],
  delivery_not_found: ['not_found', 'Delivery {deliveryId} does not exist at webhook {webhookId}.'],
  delivery_of_other_project: [
    'conflict',
    'Delivery {deliveryId} belongs to another project than webhook {webhookId}, so it cannot be sent again.',
  ],
  replay_not_found: ['not_found', 'Replay {replayId} does not exist at webhook {webhookId}.'],
  replay_in_progress: [
    'conflict',
    'Replay {replayId} of webhook {webhookId} is still in progress. Wait until it ends.',
  ],
} as const
