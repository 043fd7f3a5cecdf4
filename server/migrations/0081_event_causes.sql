-- The request that caused an event, and the span of its trace, for the requests to webhooks.
alter table events add column request_id text, add column traceparent text;
