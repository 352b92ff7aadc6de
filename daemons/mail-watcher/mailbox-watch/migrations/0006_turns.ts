import type { Migration } from "#core/sql/Migrations.ts"

/** Who tells of a mailbox knows of all that was told of it before. */
export const turns: Migration = {
  id: 6,
  name: "turns of telling",
  statements: [`alter table mail_watcher.watch add column turn bigint not null default 0`]
}
