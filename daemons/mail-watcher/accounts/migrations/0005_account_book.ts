import type { Migration } from "#core/sql/Migrations.ts"

/** What the picture of the accounts (AccountsProjection) is compared by. */
export const accountBook: Migration = {
  id: 5,
  name: "account book",
  statements: [
    // What a picture shows; a mail server's call is no change of it.
    `select core.track('mail_watcher.account',
       'tenant_id, user_id, address, kind, display_name, state, is_default, watch, imap_host, imap_port, smtp_host,
        smtp_port, login, gone')`,
    // Kept for good: an account is deleted by hand, its number is not given again, and whoever slept for long still
    // has to hear of it.
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
