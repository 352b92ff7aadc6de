import type { Migration } from "#core/sql/Migrations.ts"

/** Indexes of the texts of our own pages and mails, which every change reads (Shared.ts). */
export const shared: Migration = {
  id: 12,
  name: "shared texts",
  statements: [
    "create index source_text_server on localization.source_text (key) where key like 'server.%'",
    "create index translation_server on localization.translation (key) where key like 'server.%'"
  ]
}
