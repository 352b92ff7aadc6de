import type { Migration } from "#core/sql/Migrations.ts"

/** Requests of users for support, and the codes by which support recognises them. */
export const supportSessions: Migration = {
  id: 10,
  name: "support sessions",
  statements: [
    // The code is unique in the installation, so that a platform caller finds one session by it.
    `create table comm_dispatcher.support_session (
       id int generated always as identity primary key,
       tenant_id int not null,
       user_id int not null,
       code text not null unique,
       channel text not null check (channel in ('web', 'phone', 'messenger')),
       message text,
       created_at timestamptz not null default now(),
       expires_at timestamptz not null,
       closed_at timestamptz,
       closed_by text
     )`,
    `create index support_session_user on comm_dispatcher.support_session (user_id, created_at)`,
    `create index support_session_tenant on comm_dispatcher.support_session (tenant_id, id)`,
    `select core.protect('comm_dispatcher.support_session')`
  ]
}
