import type { Migration } from "#core/sql/Migrations.ts"

/** Operators may add languages, so subscribers may have others than German and English. */
export const languages: Migration = {
  id: 4,
  name: "languages of subscribers",
  statements: [
    "alter table status_checker.subscribers drop constraint if exists subscribers_lang_check",
    "alter table status_checker.confirmations drop constraint if exists confirmations_lang_check"
  ]
}
