import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Adds a counter of announcements to each mailbox. A process may announce only if it knows all earlier announcements.
 */
export const turns: Migration = {
  id: 6,
  name: "turns of telling",
  statements: [`alter table mail_watcher.watch add column turn bigint not null default 0`]
}
