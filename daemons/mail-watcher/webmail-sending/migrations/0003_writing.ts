import type { Migration } from "#core/sql/Migrations.ts"

/** Creates the tables of sent mails, of uploads, and of copies that could not be stored in the sent folder. */
export const writing: Migration = {
  id: 3,
  name: "writing mail",
  statements: [
    // One row for each mail whose sending began. Kept for a day, for repeated requests and for the rate limit.
    `create table mail_watcher.sending (
       id bigint generated always as identity primary key,
       tenant_id int not null,
       account_id int not null references mail_watcher.account on delete cascade,
       caller text not null,
       key text,
       body_hash bytea not null,
       message_id text not null,
       recipients int not null,
       state text not null default 'begun' check (state in ('begun', 'sent')),
       answer jsonb,
       created_at timestamptz not null default now()
     )`,
    `create unique index sending_key on mail_watcher.sending (account_id, caller, key) where key is not null`,
    `create index sending_recent on mail_watcher.sending (account_id, created_at)`,
    `select core.protect('mail_watcher.sending')`,
    `create table mail_watcher.upload (
       id uuid primary key default gen_random_uuid(),
       tenant_id int not null,
       account_id int not null references mail_watcher.account on delete cascade,
       name text not null,
       content_type text not null,
       -- Maximum size while the upload is incomplete.
       size int not null,
       complete boolean not null default false,
       created_at timestamptz not null default now()
     )`,
    `create index upload_account on mail_watcher.upload (account_id)`,
    `select core.protect('mail_watcher.upload')`,
    `create table mail_watcher.upload_chunk (
       upload_id uuid not null references mail_watcher.upload on delete cascade,
       tenant_id int not null,
       position int not null,
       bytes bytea not null,
       primary key (upload_id, position)
     )`,
    // Stored uncompressed: images and archives, the usual attachments, are already compressed.
    `alter table mail_watcher.upload_chunk alter column bytes set storage external`,
    `select core.protect('mail_watcher.upload_chunk')`,
    `create table mail_watcher.missing_copy (
       sending_id bigint primary key references mail_watcher.sending on delete cascade,
       tenant_id int not null,
       account_id int not null references mail_watcher.account on delete cascade,
       raw bytea not null,
       created_at timestamptz not null default now()
     )`,
    `select core.protect('mail_watcher.missing_copy')`
  ]
}
