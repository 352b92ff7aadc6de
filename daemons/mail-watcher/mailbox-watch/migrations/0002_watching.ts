import type { Migration } from "#core/sql/Migrations.ts"

/** Creates the tables of folder cursors, of announced messages, and of the state of each watched mailbox. */
export const watching: Migration = {
  id: 2,
  name: "watching",
  statements: [
    `create table mail_watcher.folder (
       account_id int not null references mail_watcher.account (id) on delete cascade,
       tenant_id int not null,
       name text not null,
       uid_validity bigint not null,
       -- First UID that is not announced yet.
       uid_next bigint not null,
       -- Older messages are not announced, even when they are moved into this folder.
       since timestamptz not null,
       messages int not null,
       unseen int not null,
       event_at timestamptz,
       primary key (account_id, name)
     )`,
    `select core.protect('mail_watcher.folder')`,
    // Announced messages, so that a message is not announced again after it is moved.
    `create table mail_watcher.announced (
       account_id int not null references mail_watcher.account (id) on delete cascade,
       tenant_id int not null,
       fingerprint bytea not null,
       folder text not null,
       uid_validity bigint not null,
       at timestamptz not null default now(),
       primary key (account_id, fingerprint, folder, uid_validity)
     )`,
    `create index account_pushed on mail_watcher.account (pushed_at) where pushed_at is not null`,
    `create index announced_age on mail_watcher.announced using brin (at)`,
    `select core.protect('mail_watcher.announced')`,
    `create table mail_watcher.watch (
       account_id int primary key references mail_watcher.account (id) on delete cascade,
       tenant_id int not null,
       mode text not null check (mode in ('notify', 'idle', 'push', 'poll', 'lazy', 'connecting', 'failed')),
       since timestamptz not null default now(),
       folders int not null default 0,
       last_failure text,
       next_try_at timestamptz,
       -- Time of the first and of the last scan of all folders. The last one is accurate to half an hour.
       first_look_at timestamptz,
       looked_at timestamptz
     )`,
    `select core.protect('mail_watcher.watch')`
  ]
}
