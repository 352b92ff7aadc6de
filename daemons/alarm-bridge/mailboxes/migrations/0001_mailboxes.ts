import type { Migration } from "#core/sql/Migrations.ts"

/** Creates the tables of cursors and of recently processed mails. They belong to the installation, not to a tenant. */
export const mailboxes: Migration = {
  id: 1,
  name: "mailboxes",
  statements: [
    // generation: distinguishes equal UIDs when a mailbox returns with an old UIDVALIDITY. After a reset, a mail up to
    // reset_until counts as new only if it was received after reset_since and not processed before.
    `create table alarm_bridge.mailbox_cursor (
       mailbox text primary key,
       uid_validity bigint not null,
       generation int not null default 0,
       last_uid bigint not null,
       reset_until bigint not null default 0,
       reset_since timestamptz,
       newest_at timestamptz,
       last_mail_at timestamptz,
       first_seen_at timestamptz not null default now(),
       moved_at timestamptz not null default now()
     )`,
    `create table alarm_bridge.taken_mail (
       mailbox text not null,
       digest text not null,
       internal_at timestamptz not null,
       primary key (mailbox, digest)
     )`,
    `create index taken_mail_age on alarm_bridge.taken_mail (mailbox, internal_at)`
  ]
}
