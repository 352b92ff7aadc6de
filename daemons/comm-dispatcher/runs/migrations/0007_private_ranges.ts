import type { Migration } from "#core/sql/Migrations.ts"

/** Adds the origin check of webhooks into private networks. */
export const privateRanges: Migration = {
  id: 7,
  name: "private ranges of runs",
  statements: [
    // Runs from before may finish as they were accepted.
    `alter table comm_dispatcher.run add column private_ranges boolean not null default true`,
    `alter table comm_dispatcher.run alter column private_ranges set default false`
  ]
}
