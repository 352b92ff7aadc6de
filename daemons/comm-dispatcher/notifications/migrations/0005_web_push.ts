import type { Migration } from "#core/sql/Migrations.ts"

/** The key that this installation signs pushes with, and the browsers that take some. */
export const webPush: Migration = {
  id: 5,
  name: "web push",
  statements: [
    // One row: browsers subscribe with the public half, and take nothing that another key has signed. The private half is an envelope.
    `create table comm_dispatcher.push_key (
       id int primary key check (id = 1),
       public_key text not null,
       private_key text not null,
       created_at timestamptz not null default now()
     )`,
    // `secret`: an envelope of the address and its keys; who knows the address could push to it. `endpoint_hash` finds the same browser again.
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
    // Which notification it is, so that a browser shows it once.
    `alter table comm_dispatcher.notification_held add column uuid uuid`,
    `select core.protect('comm_dispatcher.push_subscription')`
  ]
}
