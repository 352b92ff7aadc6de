import type { Migration } from "#core/sql/Migrations.ts"

/**
 * How far each alarm mailbox was read, and what was taken lately. No tenant's data: a mailbox belongs to the
 * installation.
 */
export const mailboxes: Migration = {
  id: 1,
  name: "mailboxes",
  statements: [
    // generation: tells UIDs apart when a mailbox came back with an old UIDVALIDITY. Up to reset_until, mails count as
    // new only when they came in after reset_since and were not taken before.
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
