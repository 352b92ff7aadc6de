import type { Migration } from "#core/sql/Migrations.ts"

/** Run state `uncertain`: no target is known to be reached, but one may have been. */
export const uncertainRuns: Migration = {
  id: 8,
  name: "uncertain runs",
  statements: [
    `alter table comm_dispatcher.run
       drop constraint run_state_check,
       add constraint run_state_check check (state in
         ('running', 'done', 'delivered', 'partly_delivered', 'failed', 'uncertain', 'acknowledged', 'rejected',
           'duplicate', 'acknowledgement'))`
  ]
}
