import type { Migration } from "#core/sql/Migrations.ts"

/** Tickets that have opened a connection. A ticket itself is a sealed text and is stored nowhere. */
export const tickets: Migration = {
  id: 31,
  name: "used tickets",
  statements: [
    `create table wake_word.used_ticket (
       id uuid primary key,
       expires_at timestamptz not null
     )`,
    "create index used_ticket_expiry on wake_word.used_ticket (expires_at)"
  ]
}
