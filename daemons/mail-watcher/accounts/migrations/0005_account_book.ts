import type { Migration } from "#core/sql/Migrations.ts"

/** Adds change tracking for the projection of accounts (AccountsProjection). */
export const accountBook: Migration = {
  id: 5,
  name: "account book",
  statements: [
    // Only the columns that the projection contains. A push report of a mail server (pushed_at) is no change of them.
    `select core.track('mail_watcher.account',
       'tenant_id, user_id, address, kind, display_name, state, is_default, watch, imap_host, imap_port, smtp_host,
        smtp_port, login, gone')`,
    // Rows are kept forever. Deletions are rare, IDs are never reused, and a process that was suspended for long must
    // still learn of every deletion.
    `create table mail_watcher.account_deleted (
       id int primary key,
       tenant_id int not null
     )`,
    `select core.track('mail_watcher.account_deleted')`,
    `create function mail_watcher.note_deleted() returns trigger language plpgsql as $$
     begin
       insert into mail_watcher.account_deleted (id, tenant_id) values (old.id, old.tenant_id);
       return null;
     end $$`,
    `create trigger note_deleted after delete on mail_watcher.account
       for each row execute function mail_watcher.note_deleted()`,
    `select core.protect('mail_watcher.account_deleted')`
  ]
}
