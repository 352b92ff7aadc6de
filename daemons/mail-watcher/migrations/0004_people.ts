import type { Migration } from "#core/Migrations.ts"

/** Whom mail goes to. */
export const people: Migration = {
  id: 4,
  name: "recent recipients",
  statements: [
    `create table mail_watcher.recent_recipient (
       tenant_id int not null,
       account_id int not null references mail_watcher.account (id) on delete cascade,
       -- Normalised.
       address text not null,
       name text not null default '',
       -- Name and address as they are searched (Folding).
       folded text not null,
       uses int not null default 1,
       last_used_at timestamptz not null default now(),
       primary key (account_id, address)
     )`,
    `create index recent_recipient_age on mail_watcher.recent_recipient (account_id, last_used_at desc)`,
    `select core.protect('mail_watcher.recent_recipient')`
  ]
}
