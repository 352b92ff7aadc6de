import type { Migration } from "#core/sql/Migrations.ts"

/** Chats of users, delivery settings, and held messages. */
export const notificationChannels: Migration = {
  id: 3,
  name: "notification channels",
  statements: [
    `create table comm_dispatcher.member_chat (
       user_id int primary key,
       tenant_id int not null,
       chat_id text,
       version int not null
     )`,
    `create table comm_dispatcher.notification_setting (
       user_id int primary key,
       tenant_id int not null,
       zone text not null,
       quiet jsonb,
       digest text not null check (digest in ('off', 'hourly', 'daily')),
       digest_at text not null
     )`,
    // Messages held until the end of quiet hours or the next digest.
    `create table comm_dispatcher.notification_held (
       id bigint generated always as identity primary key,
       user_id int not null,
       tenant_id int not null,
       channel varchar(20) not null,
       content jsonb not null,
       due_at timestamptz not null,
       created_at timestamptz not null default now()
     )`,
    `create index notification_held_due on comm_dispatcher.notification_held (user_id, channel, due_at)`,
    `select core.protect('comm_dispatcher.member_chat')`,
    `select core.protect('comm_dispatcher.notification_setting')`,
    `select core.protect('comm_dispatcher.notification_held')`
  ]
}
