import type { Migration } from "#core/sql/Migrations.ts"

/** Removes the relay's text from stored errors, because it names subscribers. The reply code stays. */
export const ownWords: Migration = {
  id: 2,
  name: "errors of mails without the relay's text",
  statements: [
    `update status_checker.mails
      set last_error = regexp_replace(last_error,
        '^((?:given up: )?relay \\S+ [a-z ]+): (?:([245][0-9][0-9]).*|.*)$', '\\1 \\2')
      where last_error is not null`
  ]
}
