import type { Migration } from "#core/sql/Migrations.ts"

/** The installation's push key, and push subscriptions of browsers. */
export const webPush: Migration = {
  id: 5,
  name: "web push",
  statements: [
    // A single row: browsers subscribe with the public key and reject messages signed by another. The private key is in
    // an envelope.
    `create table comm_dispatcher.push_key (
       id int primary key check (id = 1),
       public_key text not null,
       private_key text not null,
       created_at timestamptz not null default now()
     )`,
    // `secret`: an envelope of the address and its keys, which allow pushing to it. `endpoint_hash` finds the same
    // browser again.
    `create table comm_dispatcher.push_subscription (
       id uuid primary key,
       user_id int not null,
       tenant_id int not null,
       service text not null,
       endpoint_hash text not null,
       secret text not null,
       created_at timestamptz not null default now(),
       renewed_at timestamptz not null default now()
     )`,
    `create index push_subscription_user on comm_dispatcher.push_subscription (user_id, renewed_at)`,
    `create index push_subscription_endpoint on comm_dispatcher.push_subscription (endpoint_hash, renewed_at)`,
    // Uuid of the notification, so that a browser shows it once.
    `alter table comm_dispatcher.notification_held add column uuid uuid`,
    `select core.protect('comm_dispatcher.push_subscription')`
  ]
}
