import type { Migration } from "#core/sql/Migrations.ts"

/** Creates the table of mail accounts. */
export const accounts: Migration = {
  id: 1,
  name: "mail accounts",
  statements: [
    `create table mail_watcher.account (
       id int generated always as identity primary key,
       tenant_id int not null,
       user_id int,
       address text not null check (address = lower(address)),
       kind text not null check (kind in ('own', 'foreign')),
       display_name text not null default '',
       state text not null default 'active' check (state in ('active', 'suspended')),
       is_default boolean not null default false,
       watch text not null default 'always' check (watch in ('always', 'lazy')),
       imap_host text,
       imap_port int,
       smtp_host text,
       smtp_port int,
       login text,
       -- Sealed password of a foreign account.
       password text,
       -- Version of the newest event about an own account. When its mailbox is deleted, the row stays and its column
       -- gone is set, so that older events cannot restore it.
       version int not null default 0,
       gone boolean not null default false,
       -- Time of the last push by the mail server.
       pushed_at timestamptz,
       created_at timestamptz not null default now(),
       updated_at timestamptz not null default now(),
       check (kind = 'own' or (imap_host is not null and imap_port is not null and password is not null
         and user_id is not null))
     )`,
    `create unique index account_own on mail_watcher.account (address) where kind = 'own'`,
    `create unique index account_foreign on mail_watcher.account (tenant_id, user_id, address) where kind = 'foreign'`,
    `create index account_user on mail_watcher.account (tenant_id, user_id, id)`,
    `select core.protect('mail_watcher.account')`
  ]
}
