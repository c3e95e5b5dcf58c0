alter table webhooks validate constraint webhooks_event_check;
