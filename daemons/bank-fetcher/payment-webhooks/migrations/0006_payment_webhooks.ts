import type { Migration } from "#core/sql/Migrations.ts"

/** Events of payment providers. */
export const paymentWebhooks: Migration = {
  id: 6,
  name: "payment webhooks",
  statements: [
    // event_id: id that the provider gave the event; else the SHA-256 of the body. signed: whether its signature was
    // verified. body: as received.
    `create table bank_fetcher.webhook_event (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       tenant_id int not null,
       provider text not null check (provider in ('card', 'wallet')),
       event_id text not null,
       type text,
       signed boolean not null,
       state text not null check (state in ('applied', 'unknown', 'failed')),
       problem text,
       payment_id uuid references bank_fetcher.payment (id),
       body text not null,
       received_at timestamptz not null default now(),
       unique (tenant_id, provider, event_id)
     )`,
    `select core.protect('bank_fetcher.webhook_event')`
  ]
}
