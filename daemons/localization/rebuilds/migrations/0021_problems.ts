import type { Migration } from "#core/sql/Migrations.ts"

/** Code and detail of a rebuild's problem, for pages in other languages than English. */
export const problems: Migration = {
  id: 21,
  name: "problems of rebuilds",
  statements: ["alter table localization.rebuild add column problem_code text, add column problem_detail text"]
}
